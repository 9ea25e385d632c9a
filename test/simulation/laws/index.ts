import { paidOnce } from './checkouts.ts';
import { counted, inFlight } from './counts.ts';
import { oneRecord, sameBytes } from './events.ts';
import { noFaults } from './faults.ts';
import { once } from './idempotency.ts';
import type { Law } from './law.ts';
import { orderLimits, rateLimits } from './limits.ts';
import { understood } from './models.ts';
import { sums } from './money.ts';
import { apart } from './ownership.ts';
import { searchable } from './search.ts';
import { fair, inTime, woken } from './waiting.ts';
import { acknowledged } from './writes.ts';

export const laws: readonly Law[] = [
  ...[understood, acknowledged, once, oneRecord, sameBytes, counted, inFlight, noFaults],
  // The pipeline.
  ...[woken, fair, inTime, apart, searchable],
  // Money.
  ...[paidOnce, sums, orderLimits, rateLimits],
];
