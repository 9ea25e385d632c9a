import { ApiError, invalidValue } from '../../shared/core/errors.ts';
import { roundMoney, storedDecimalsOf } from '../../shared/core/money.ts';
import { type Payment, paymentPayload, type RefundIntent } from '../../shared/domain/payment/fields.ts';
import {
  beginIntent,
  isAccepted,
  isLeased,
  isLost,
  isOfCall,
  pauseIntent,
  resumeIntent,
} from '../../shared/domain/payment/refund-intents.ts';
import { makeRefund } from '../../shared/domain/payment/refunds.ts';
import { applyRefund, releaseStoredIntent } from '../../shared/operations/money-back.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import { refundsOf, textWrites } from '../../shared/operations/paid-order.ts';
import { type RefundingGateway, RefundRejected } from '../../shared/providers/payment-gateways/gateway.ts';
import { type ActionServices, retries } from './action.ts';
import {
  assertSameInput,
  isSameRefund,
  type Original,
  planRefund,
  type RefundCall,
  requireOriginal,
  transactionIdOf,
  unknownResult,
} from './refund-call.ts';
import { openRefundingGateway, type StripeKeysReader } from './taken-payments.ts';

/**
 * Makes the refund at Stripe (docs/decisions/0041):
 *
 * 1. Finds the payment and the currency in which Stripe took it.
 * 2. Settles the payment's other refunds that no call carries out.
 * 3. Reserves the amount in an intent of the payment, before Stripe gets the refund. If the call or
 *    an equal one has failed before, resumes its intent. Rejects an amount above the rest.
 * 4. Asks Stripe to refund, and records what it reports.
 *
 * If Stripe rejects the refund or reports its failure, the amount is free again. If Stripe does not
 * respond, or the process ends, the intent stays: the repeated call, another call for the payment or
 * Stripe's notice finds the refund. Returns the refund's record or, if Stripe decides later, the
 * record to come with the status `pending`.
 */
export const refundAtGateway = async (services: ActionServices, call: RefundCall, readKeys: StripeKeysReader) => {
  const gateway = await requireGateway(services, call, readKeys);
  const original = await findWithCurrency(services, gateway, call);
  await settleIdle(services, gateway, call, original).catch((cause) => {
    throw unknownResult(cause);
  });
  const begun = await beginOrResume(services, call, original.currency);
  return paymentPayload(begun.recorded ?? (await refundAndRecord(services, gateway, call, original, begun)));
};

const requireGateway = async (services: ActionServices, { account }: RefundCall, readKeys: StripeKeysReader): Promise<RefundingGateway> => {
  const { gateway, unresolved } = await openRefundingGateway(services, account.id, readKeys);
  if (gateway) return gateway;
  throw new ApiError(
    'conflict',
    'The service cannot read a Stripe key of the account. See checkout.check, or send "gateway": false to only record the refund.',
    { cause: unresolved },
  );
};

/**
 * Finds the payment and its currency. That of a checkout is its order's; a payment that was
 * recorded by hand may have been taken in any.
 */
const findWithCurrency = async (services: ActionServices, gateway: RefundingGateway, { input, account }: RefundCall): Promise<Original> => {
  const original = await requireOriginal(services, account, input.id);
  const { stored, order } = original;
  if (stored.record.source === 'checkout' && order) return original;
  const currency = await gateway.currencyOf(transactionIdOf(stored.record)).catch((cause) => {
    throw new ApiError('conflict', 'Stripe does not know the payment, or did not respond. See checkout.check.', { cause });
  });
  if (order && currency !== original.currency)
    throw new ApiError(
      'conflict',
      `Stripe took the payment in ${currency}, and its order is in ${original.currency}. Refund it in Stripe.`,
    );
  return { ...original, currency };
};

/**
 * Settles the refunds of the payment that no call carries out, except the one that this call can
 * resume: records those that Stripe has made, also if their notice was lost, and releases those that
 * it never got. Rejects a call whose token began another refund.
 */
const settleIdle = async (services: ActionServices, gateway: RefundingGateway, call: RefundCall, original: Original): Promise<void> => {
  const { input, account, mark } = call;
  const { record } = original.stored;
  const nowMs = services.clock.now();
  for (const intent of record.refund_intents ?? []) {
    const isOwn = isOfCall(mark, intent);
    if (isOwn) assertSameInput(input, original, intent);
    const isResumable = !isAccepted(intent) && (isOwn || isSameRefund(input, original, intent));
    if (isResumable || isLeased(intent, nowMs)) continue;
    const reported = await gateway.findRefund({ payment: transactionIdOf(record), intentId: intent.id });
    if (reported) await applyRefund(services, account.id, reported);
    else if (isLost(intent, nowMs)) await releaseStoredIntent(services, account.id, input.id, intent);
  }
};

/**
 * Reserves the amount: resumes an intent, or begins one. Returns the refund's record instead if it
 * exists already.
 */
const beginOrResume = (services: ActionServices, call: RefundCall, currency: string) =>
  retryStale(services, retries, async () => {
    const { store, clock } = services;
    const { input, account, mark } = call;
    const original = await requireOriginal(services, account, input.id, currency);
    const recorded = await findRecorded(services, call, original);
    if (recorded) return { recorded };
    const { stored, order } = original;
    const resumable = findResumable(call, original, clock.now());
    if (resumable) {
      const { payment, intent } = resumeIntent(stored.record, resumable, mark, clock.now());
      await store.commit([store.payments.refundsWrite(account.id, stored, payment)]);
      return { intent, isResumed: true };
    }
    assertSendable(input.amount, currency);
    const refund = planRefund(services, original, input, call.newId);
    const { payment, intent } = beginIntent(stored.record, refund, clock.now());
    await store.commit([store.payments.refundsWrite(account.id, stored, payment), ...textWrites(store, account.id, order, refund)]);
    return { intent, isResumed: false };
  });

/** Finds the record of the call's refund, which an earlier try of the call or a notice has made. */
const findRecorded = async ({ store }: ActionServices, call: RefundCall, original: Original): Promise<Payment | undefined> => {
  const { input, account, mark } = call;
  if (mark === undefined) return undefined;
  const refunds = await refundsOf(store, account.id, original.stored.record, original.order);
  const recorded = refunds.find(({ id, refund_calls = [] }) => isOfCall(mark, { id, calls: refund_calls }));
  if (recorded) assertSameInput(input, original, recorded);
  return recorded;
};

/**
 * Finds the intent that this call goes on with: its own, which an earlier try began, or else one of
 * the same amount and description that no other call carries out. Throws if another call does.
 */
const findResumable = ({ input, mark }: RefundCall, original: Original, nowMs: number): RefundIntent | undefined => {
  const { refund_intents = [] } = original.stored.record;
  const own = refund_intents.find((intent) => isOfCall(mark, intent));
  if (own) {
    assertSameInput(input, original, own);
    return own;
  }
  const sameRefunds = refund_intents.filter((intent) => !isAccepted(intent) && isSameRefund(input, original, intent));
  const idle = sameRefunds.find((intent) => !isLeased(intent, nowMs));
  if (!idle && sameRefunds.length > 0)
    throw new ApiError('request_in_flight', 'The same refund is still running. Repeat the call in a minute to get its response.');
  return idle;
};

/**
 * Rejects an amount that the currency cannot express, because Stripe would give another one back.
 */
const assertSendable = (amount: number, currency: string): void => {
  if (roundMoney(amount, storedDecimalsOf(currency)) !== amount)
    throw invalidValue('amount', `amount must be a whole number in ${currency}.`);
};

/**
 * Asks Stripe to make the refund, and records what Stripe reports. If Stripe rejects it, releases the
 * intent. If Stripe did not respond, or the report could not be recorded, pauses the intent.
 */
const refundAndRecord = async (
  services: ActionServices,
  gateway: RefundingGateway,
  { input, account }: RefundCall,
  { stored: { record }, currency }: Original,
  { intent, isResumed }: { readonly intent: RefundIntent; readonly isResumed: boolean },
): Promise<Payment> => {
  const { id, amount, created_at } = intent;
  const request = { payment: transactionIdOf(record), paymentId: input.id, intentId: id, amount, currency };
  try {
    // Stripe forgets an idempotency key after a day, so a resumed refund may have been made already.
    const reported = (isResumed ? await gateway.findRefund(request) : undefined) ?? (await gateway.refund(request));
    const refund = await applyRefund(services, account.id, { ...reported, paymentId: input.id });
    if (reported.status === 'failed')
      throw new ApiError('conflict', 'The refund failed at Stripe, and no money was given back. Repeat it, or see the payment in Stripe.');
    return refund ?? { ...makeRefund(record, intent, reported.id, created_at), status: 'pending', completed_at: null };
  } catch (cause) {
    if (cause instanceof RefundRejected) {
      await releaseStoredIntent(services, account.id, input.id, intent);
      throw new ApiError('conflict', `Stripe rejected the refund: ${cause.message} See the payment in Stripe.`, { cause });
    }
    // If the pause fails, the lease ends alone.
    if (!(cause instanceof ApiError)) await pauseStoredIntent(services, account.id, input.id, intent).catch(() => undefined);
    throw unknownResult(cause);
  }
};

/** Pauses the intent, so that the next call resumes it at once. */
const pauseStoredIntent = async (
  { store, clock }: ActionServices,
  account: string,
  payment: string,
  intent: RefundIntent,
): Promise<void> => {
  const stored = await store.payments.get(account, payment);
  if (stored) await store.commit([store.payments.refundsWrite(account, stored, pauseIntent(stored.record, intent, clock.now()))]);
};
