import { paidOnce } from './checkouts.ts';
import { counted, inFlight } from './counts.ts';
import { oneRecord, sameBytes } from './events.ts';
import { noFaults } from './faults.ts';
import { once } from './idempotency.ts';
import type { Law } from './law.ts';
import { orderLimits, rateLimits } from './limits.ts';
import { understood } from './models.ts';
import { sums } from './money.ts';
import { acknowledged } from './writes.ts';

export const laws: readonly Law[] = [
  understood,
  acknowledged,
  once,
  oneRecord,
  sameBytes,
  counted,
  inFlight,
  paidOnce,
  sums,
  orderLimits,
  rateLimits,
  noFaults,
];
