import { sameBytes } from './bodies.ts';
import { paidOnce } from './checkouts.ts';
import { counted, inFlight } from './counts.ts';
import { decimals } from './decimals.ts';
import { lastRequest, lastUnit } from './edges.ts';
import { oneEmail } from './emails.ts';
import { endpointsHold } from './endpoints.ts';
import { forgotten } from './erasure.ts';
import { exported } from './export.ts';
import { fair } from './fairness.ts';
import { foundWhole } from './found.ts';
import { feesBooked } from './gateway-fees.ts';
import { onePage } from './hosted-pages.ts';
import { once } from './idempotency.ts';
import type { Invariant } from './invariant.ts';
import { endsAnnounced } from './key-notices.ts';
import { keyTypesApart } from './key-types.ts';
import { rateLimits } from './limits.ts';
import { walksWhole } from './lists.ts';
import { understood } from './models.ts';
import { sums } from './money.ts';
import { givenBack } from './money-back.ts';
import { noticed } from './notices.ts';
import { orderLimits } from './order-limits.ts';
import { numbered } from './order-numbers.ts';
import { apart } from './ownership.ts';
import { paymentStatus } from './payment-status.ts';
import { paymentsAddUp } from './payments.ts';
import { priced } from './prices.ts';
import { payable } from './progress.ts';
import { oneRecord } from './records.ts';
import { accessHolds, changesLast } from './registers.ts';
import { ownRun } from './runs.ts';
import { searchable } from './search.ts';
import { noServerErrors } from './server-errors.ts';
import { verified } from './signatures.ts';
import { testLimit } from './test-limit.ts';
import { tradesOnly } from './trade.ts';
import { usageIsRight } from './usage.ts';
import { inTime, woken } from './waiting.ts';
import { acknowledged } from './writes.ts';

/**
 * In order of their numbers, except that `server-errors` is last, because the others explain more, and
 * `decimals` is before the sums, because it explains them.
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
  ...[decimals, onePage],
  ...[
    paidOnce,
    payable,
    sums,
    paymentsAddUp,
    givenBack,
    priced,
    paymentStatus,
    feesBooked,
    orderLimits,
    rateLimits,
    testLimit,
    lastRequest,
    lastUnit,
  ],
  forgotten,
  accessHolds,
  tradesOnly,
  numbered,
  oneEmail,
  noticed,
  endsAnnounced,
  usageIsRight,
  foundWhole,
  noServerErrors,
];
