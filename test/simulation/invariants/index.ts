import { sameBytes } from './bodies.ts';
import { paidOnce } from './checkouts.ts';
import { counted, inFlight } from './counts.ts';
import { oneEmail } from './emails.ts';
import { endpointsHold } from './endpoints.ts';
import { forgotten } from './erasure.ts';
import { oneRecord } from './events.ts';
import { exported } from './export.ts';
import { foundWhole } from './found.ts';
import { once } from './idempotency.ts';
import type { Invariant } from './invariant.ts';
import { endsAnnounced } from './key-notices.ts';
import { keyTypesApart } from './key-types.ts';
import { orderLimits, rateLimits } from './limits.ts';
import { walksWhole } from './lists.ts';
import { understood } from './models.ts';
import { sums } from './money.ts';
import { givenBack } from './money-back.ts';
import { noticed } from './notices.ts';
import { numbered } from './order-numbers.ts';
import { apart } from './ownership.ts';
import { paymentsAddUp } from './payments.ts';
import { payable } from './progress.ts';
import { accessHolds, changesLast } from './registers.ts';
import { ownRun } from './runs.ts';
import { searchable } from './search.ts';
import { noServerErrors } from './server-errors.ts';
import { verified } from './signatures.ts';
import { testLimit } from './test-limit.ts';
import { usageIsRight } from './usage.ts';
import { fair, inTime, woken } from './waiting.ts';
import { acknowledged } from './writes.ts';

/**
 * In order of their numbers, except that `server-errors` is last, because the others explain more.
 */
export const invariants: readonly Invariant[] = [
  understood,
  acknowledged,
  changesLast,
  exported,
  once,
  keyTypesApart,
  oneRecord,
  ownRun,
  verified,
  endpointsHold,
  sameBytes,
  counted,
  inFlight,
  ...[woken, fair, inTime, apart, searchable, walksWhole],
  ...[paidOnce, payable, sums, paymentsAddUp, givenBack, orderLimits, rateLimits, testLimit],
  forgotten,
  accessHolds,
  numbered,
  oneEmail,
  noticed,
  endsAnnounced,
  usageIsRight,
  foundWhole,
  noServerErrors,
];
