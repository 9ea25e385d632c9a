import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import type { NewId } from '../../shared/core/ids.ts';
import { addMoney, roundMoney, storedDecimalsOf } from '../../shared/core/money.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { saleCurrency } from '../../shared/domain/order/rules.ts';
import { type Payment, paymentPayload, type RefundIntent } from '../../shared/domain/payment/fields.ts';
import { type GatewayRefund, makeRefund, refundableAmount, withIntents } from '../../shared/domain/payment/refunds.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import { applyRefund, findOrder, orderWrites, releaseIntent } from '../../shared/operations/money-back.ts';
import { retryStale } from '../../shared/operations/operation.ts';
import {
  KeysRejected,
  type RefundingGateway,
  RefundRejected,
  type RefundRequest,
} from '../../shared/providers/payment-gateways/gateway.ts';
import { readStripeKeys } from '../../shared/providers/payment-gateways/keys.ts';
import { withoutOrder } from '../../shared/table/payments.ts';
import type { Stored } from '../../shared/table/records.ts';
import { type ActionServices, onAccount, retries } from './action.ts';
import { assertReadable, textWrites } from './modify.ts';
import {
  begunBy,
  findResumableIntent,
  type Input,
  idsOf,
  input,
  isOfCall,
  isSameRefund,
  leaseMs,
  type Original,
  type RefundCall,
  takenOver,
} from './refund-intents.ts';
import { namesStripe, type StripeKeys, stripeKeysOf } from './taken-payments.ts';

const findPayment = async ({ store }: ActionServices, account: string, id: string): Promise<Stored<Payment>> => {
  const stored = await store.payments.get(account, id);
  if (!stored) throw notFound('Payment');
  return stored;
};

/** `taken` is the currency in which a gateway took the payment, if it was asked. */
const findOriginal = async (services: ActionServices, account: Account, id: string, taken?: string): Promise<Original> => {
  const stored = await findPayment(services, account.id, id);
  const order = await findOrder(services.store, account.id, stored.record.order_id);
  return { stored, order, currency: taken ?? order?.stored.record.currency ?? saleCurrency(account) };
};

/** Returns the refund that the input asks for, as a record. Rejects one that cannot be made. */
const plan = (
  { clock, newId }: ActionServices,
  original: Original,
  { amount: requestedAmount, description }: Input,
  idOf: NewId = newId,
): Payment => {
  const { record } = original.stored;
  const amount = refundableAmount(record, requestedAmount, storedDecimalsOf(original.currency));
  const nowMs = clock.now();
  const now = isoFromMs(nowMs);
  const refund = makeRefund(record, { id: idOf('pay', nowMs), amount, description, source: 'dashboard', created_at: now }, null, now);
  assertReadable(original.order, refund);
  return refund;
};

/**
 * Writes the refund and the refunded total in one transaction, so that parallel refunds cannot
 * exceed the payment.
 */
const recordRefund = async (services: ActionServices, input: Input, account: Account, checkedPayment?: Payment) => {
  const { store } = services;
  const original = await findOriginal(services, account, input.id);
  if (checkedPayment) assertUnchangedSince(original.stored.record, checkedPayment);
  const refund = plan(services, original, input);
  const { stored, order } = original;
  const refunded: Payment = { ...stored.record, refunded_amount: addMoney(stored.record.refunded_amount, refund.amount) };
  return {
    result: paymentPayload(refund),
    writes: [
      store.payments.refundedWrite(account.id, stored, refunded),
      ...store.payments.createWrites(account.id, refund),
      ...orderWrites(store, account.id, order, [refunded, refund], refund.created_at),
      ...textWrites(store, account.id, order, refund),
    ],
  };
};

/** Rejects the payment if a refund of it was begun or recorded after Stripe was asked. */
const assertUnchangedSince = ({ refunded_amount, refund_intents = [] }: Payment, checkedPayment: Payment): void => {
  if (refund_intents.length > 0) throw underWay();
  if (refunded_amount > checkedPayment.refunded_amount) throw newAtStripe(addMoney(refunded_amount, -checkedPayment.refunded_amount));
};

/** Returns the record of a refund that an earlier try of the call has made, or a notice about it. */
const findMade = async ({ store }: ActionServices, call: RefundCall, original: Original): Promise<Payment | undefined> => {
  if (call.token === undefined) return undefined;
  const { stored, order } = original;
  const siblings = order?.payments ?? (await store.payments.ofOrder(call.account.id, withoutOrder));
  const refunds = siblings.filter(({ original_payment_id }) => original_payment_id === stored.record.id);
  return refunds.find((one) => isOfCall(call, original, { ...one, ends: one.refund_calls ?? [] }));
};

/**
 * Reserves the amount before the gateway is asked (decisions §7): takes over what an earlier try
 * left, or begins an intent. Returns the refund's record if another try, or a notice, has made it.
 */
const reserve = (services: ActionServices, call: RefundCall, currency: string) =>
  retryStale(services, retries, async () => {
    const { store, clock, newId } = services;
    const { input, account, token } = call;
    const original = await findOriginal(services, account, input.id, currency);
    const made = await findMade(services, call, original);
    if (made) return { made };
    const { stored, order } = original;
    const resumable = findResumableIntent(call, original, clock.now());
    const begin = () => {
      assertSendable(input.amount, currency);
      const refund = plan(services, original, input, token === undefined ? newId : idsOf(input.id, token));
      const begun = { ...pick(refund, ['id', 'amount', 'description', 'source', 'created_at']), transaction_id: null };
      return { begun, texts: textWrites(store, account.id, order, refund) };
    };
    const { begun, texts } = resumable ? { begun: takenOver(resumable, call), texts: [] } : begin();
    const intent: RefundIntent = { ...begun, lease_until_ms: clock.now() + leaseMs };
    const others = (stored.record.refund_intents ?? []).filter(({ id }) => id !== intent.id);
    await store.commit([store.payments.refundedWrite(account.id, stored, withIntents(stored.record, [...others, intent])), ...texts]);
    return { intent, isRetry: resumable !== undefined };
  });

/** Ends the lease, so that the next call takes the intent over at once. If this fails, the lease ends alone. */
const endLease = async ({ store, clock }: ActionServices, account: string, payment: string, { id }: RefundIntent): Promise<void> => {
  const stored = await store.payments.get(account, payment);
  if (!stored) return;
  const intents = (stored.record.refund_intents ?? []).map((one) => (one.id === id ? { ...one, lease_until_ms: clock.now() } : one));
  await store.commit([store.payments.refundedWrite(account, stored, withIntents(stored.record, intents))]);
};

/** A request that was cut off may still be carried out for so long after its lease, in milliseconds. */
const mayArriveMs = 5 * 60_000;

/**
 * Ends the other refunds of the payment that no call carries out: it records those that the gateway
 * has made, also if their notice was lost, and releases those that it never got.
 */
const endOthers = async (services: ActionServices, gateway: RefundingGateway, call: RefundCall, original: Original): Promise<void> => {
  const { input, account } = call;
  const { refund_intents = [], gateway: reference } = original.stored.record;
  const nowMs = services.clock.now();
  for (const intent of refund_intents) {
    const isOwn = isOfCall(call, original, begunBy(intent)) || isSameRefund(call, original, intent);
    if ((isOwn && intent.transaction_id === null) || intent.lease_until_ms > nowMs) continue;
    const found = await gateway.findRefund({ payment: String(reference?.transaction_id), intent: intent.id });
    if (found) await applyRefund(services, account.id, found);
    else if (intent.lease_until_ms + mayArriveMs <= nowMs) await releaseIntent(services, account.id, input.id, intent);
  }
};

const onlyRecorded = 'See checkout.check, or send "gateway": false to only record the refund.';

/** Returns Stripe's refunds; the reason instead if no key of the account can be read. */
const openRefunds = async (
  { secrets, stripeApi: api }: ActionServices,
  account: string,
  known: StripeKeys,
): Promise<{ readonly gateway?: RefundingGateway; readonly unresolved?: Error | undefined }> => {
  const { keys, unresolved } = await readStripeKeys(secrets, account, await known());
  const [first, ...others] = keys;
  if (!first) return { unresolved };
  // Loaded only here, because it is more code than all actions together.
  const { stripeRefunds } = await import('../../shared/providers/payment-gateways/stripe-money-back.ts');
  return { gateway: stripeRefunds({ keys: [first, ...others], ...(api ? { api } : {}) }) };
};

/** Asks the gateway. A retry first looks for the refund, because the gateway forgets keys after a day. */
const askGateway = async (gateway: RefundingGateway, request: RefundRequest, isRetry: boolean): Promise<GatewayRefund> =>
  (isRetry ? await gateway.findRefund(request) : undefined) ?? (await gateway.refund(request));

/** Rejects an amount that the currency cannot express, because Stripe would give another one back. */
const assertSendable = (amount: number, currency: string): void => {
  if (roundMoney(amount, storedDecimalsOf(currency)) !== amount)
    throw invalidValue('amount', `amount must be a whole number in ${currency}.`);
};

/** The errors of a refund that is only to be recorded, while Stripe gives money back (decisions §7). */
const underWay = (): ApiError =>
  new ApiError('request_in_flight', 'Another refund of the payment is still running. Repeat the call when it has ended.');
const newAtStripe = (amount: number): ApiError =>
  new ApiError(
    'conflict',
    `Stripe has given back ${amount} of the payment, and the service has recorded it now. Repeat the call only for another refund.`,
  );

/**
 * Asks Stripe before a refund is only recorded, and records what it reports, so that one refund is
 * not recorded twice (decisions §7). Throws if Stripe reports a new refund, if one is under way, or if
 * Stripe does not respond. Returns the payment as it is then; undefined if Stripe cannot be asked.
 */
const askBeforeRecording = async (
  services: ActionServices,
  { id }: Input,
  account: string,
  keys: StripeKeys,
): Promise<Payment | undefined> => {
  const { gateway } = await openRefunds(services, account, keys);
  if (!gateway) return undefined;
  const { record: before } = await findPayment(services, account, id);
  const reports = await gateway.refundsOf(String(before.gateway?.transaction_id)).catch((cause) => {
    if (cause instanceof KeysRejected) return undefined;
    throw unknownResult(cause);
  });
  if (!reports) return undefined;
  for (const reported of reports) await applyRefund(services, account, { ...reported, of: id });
  for (const intent of before.refund_intents ?? []) {
    const isLost =
      !reports.some((reported) => reported.intent === intent.id) && intent.lease_until_ms + mayArriveMs <= services.clock.now();
    if (isLost) await releaseIntent(services, account, id, intent);
  }
  const { record: after } = await findPayment(services, account, id);
  if (after.refunded_amount > before.refunded_amount) throw newAtStripe(addMoney(after.refunded_amount, -before.refunded_amount));
  if ((after.refund_intents ?? []).length > 0 || reports.some(({ status }) => status === 'pending')) throw underWay();
  return after;
};

/** The error of a call with an unknown result at Stripe. */
const unknownResult = (cause: unknown): ApiError =>
  new ApiError(
    'request_in_flight',
    'Stripe did not say whether it made the refund. Repeat the same call. If it fails again, see checkout.check.',
    { cause },
  );

/**
 * Makes the refund at Stripe. Returns its record or, if Stripe has not decided yet, the record to
 * come with the status `pending`.
 */
const refundAtGateway = async (services: ActionServices, call: RefundCall, keys: StripeKeys) => {
  const { input, account } = call;
  const { gateway, unresolved } = await openRefunds(services, account.id, keys);
  if (!gateway)
    throw new ApiError('conflict', `The service cannot read a Stripe key of the account. ${onlyRecorded}`, { cause: unresolved });
  const found = await findOriginal(services, account, input.id);
  const currency = await currencyOf(gateway, found);
  const original = { ...found, currency };
  const { record } = original.stored;
  await endOthers(services, gateway, call, original).catch((cause) => {
    throw cause instanceof ApiError ? cause : unknownResult(cause);
  });
  const reserved = await reserve(services, call, currency);
  if (reserved.made) return paymentPayload(reserved.made);
  const { intent, isRetry } = reserved;
  const request = { payment: String(record.gateway?.transaction_id), of: input.id, intent: intent.id, amount: intent.amount, currency };
  try {
    const reported = await askGateway(gateway, request, isRetry);
    const refund = await applyRefund(services, account.id, { ...reported, of: input.id });
    if (reported.status === 'failed')
      throw new ApiError('conflict', 'The refund failed at Stripe, and no money was given back. Repeat it, or see the payment in Stripe.');
    const { created_at } = intent;
    const coming: Payment = { ...makeRefund(record, intent, reported.id, created_at), status: 'pending', completed_at: null };
    return paymentPayload(refund ?? coming);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (cause instanceof RefundRejected) {
      await releaseIntent(services, account.id, input.id, intent);
      throw new ApiError('conflict', `Stripe rejected the refund: ${cause.message} See the payment in Stripe.`, { cause });
    }
    await endLease(services, account.id, input.id, intent).catch(() => undefined);
    throw unknownResult(cause);
  }
};

/**
 * Returns the currency of the payment. That of a checkout is its order's; a payment that was recorded
 * by hand may have been taken in any.
 */
const currencyOf = async (gateway: RefundingGateway, { stored, order, currency }: Original): Promise<string> => {
  if (stored.record.source === 'checkout' && order) return currency;
  const taken = await gateway.currencyOf(String(stored.record.gateway?.transaction_id)).catch((cause) => {
    throw new ApiError('conflict', 'Stripe does not know the payment, or did not respond. See checkout.check.', { cause });
  });
  if (order && taken !== currency)
    throw new ApiError('conflict', `Stripe took the payment in ${taken}, and its order is in ${currency}. Refund it in Stripe.`);
  return taken;
};

/** Whether Stripe took the payment, and not only a merchant's record says so. */
const isAtStripe = async (payment: Payment, keys: StripeKeys): Promise<boolean> =>
  namesStripe(payment) && (payment.source === 'checkout' || (await keys()).length > 0);

export const refund = onAccount({
  summary: 'Refunds a settled payment, or part of it. If Stripe took the payment, Stripe gives the money back. This cannot be undone.',
  input,
  async choose(token, services, input, account) {
    const { record: original } = await findPayment(services, account.id, input.id);
    let known: ReturnType<StripeKeys> | undefined;
    const keys: StripeKeys = () => (known ??= stripeKeysOf(services, account.id));
    if (!(await isAtStripe(original, keys))) return { decide: recordRefund };
    if (input.gateway) return { run: () => refundAtGateway(services, { input, account, token }, keys) };
    const checkedPayment = await askBeforeRecording(services, input, account.id, keys);
    return { decide: () => recordRefund(services, input, account, checkedPayment) };
  },
});
