import { paidOnce } from './checkouts.ts';
import { counted, inFlight } from './counts.ts';
import { oneRecord, sameBytes } from './events.ts';
import type { Law } from './law.ts';
import { orderLimits, rateLimits } from './limits.ts';
import { sums } from './money.ts';
import { acknowledged, noFaults, once } from './writes.ts';

export const laws: readonly Law[] = [
  acknowledged,
  once,
  oneRecord,
  sameBytes,
  counted,
  inFlight,
  sums,
  orderLimits,
  rateLimits,
  paidOnce,
  noFaults,
];
