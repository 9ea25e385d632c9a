import { counted, inFlight } from './counts.ts';
import { oneRecord, sameBytes } from './events.ts';
import type { Law } from './law.ts';
import { understood } from './models.ts';
import { acknowledged, noFaults, once } from './writes.ts';

export const laws: readonly Law[] = [understood, acknowledged, once, oneRecord, sameBytes, counted, inFlight, noFaults];
