import { sameBytes } from './bodies.ts';
import { counted, inFlight } from './counts.ts';
import { oneEmail } from './emails.ts';
import { forgotten } from './erasure.ts';
import { oneRecord } from './events.ts';
import { exported } from './export.ts';
import { noFaults } from './faults.ts';
import { once } from './idempotency.ts';
import type { Law } from './law.ts';
import { understood } from './models.ts';
import { numbered } from './order-numbers.ts';
import { accessHolds, changesLast } from './registers.ts';
import { acknowledged } from './writes.ts';

export const laws: readonly Law[] = [
  understood,
  acknowledged,
  once,
  oneRecord,
  sameBytes,
  counted,
  inFlight,
  noFaults,
  changesLast,
  exported,
  forgotten,
  accessHolds,
  numbered,
  oneEmail,
];
