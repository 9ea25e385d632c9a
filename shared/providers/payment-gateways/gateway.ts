import type { CheckoutSession, SessionIn } from '../../domain/checkout/record.ts';
import type { Charge } from '../../domain/checkout/rules.ts';
import type { Dispute } from '../../domain/order/fields.ts';
import type { GatewayRefund } from '../../domain/payment/refunds.ts';

/** URLs to which a gateway sends the shopper back. */
export interface ReturnUrls {
  /** Page after paying, which asks the gateway for the result. */
  readonly done: string;
  readonly cancelled: string;
}

/** A notice as received; header names in lower case. */
export interface RawNotice {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** A notice about a session's payment. */
export interface Notice {
  readonly session: string;
  /** The gateway's id of the payment, if the notice says that money was taken. */
  readonly taken?: string | undefined;
  /**
   * Returns the result that the notice reports; undefined if it reports none. Throws
   * `NoticeRejected` if the notice does not come from the gateway.
   */
  judge(session: CheckoutSession): Promise<Charge | undefined>;
}

/** A dispute of a payment as its gateway has it. */
export interface GatewayDispute {
  /** The gateway's id. */
  readonly id: string;
  /** The gateway's ids of the payment, of which the payment's record has one. */
  readonly transactionIds: readonly string[];
  /** An inquiry is no dispute yet, and may become one. */
  readonly status: Dispute['status'] | 'inquiry';
  readonly reported_ms: number;
}

/** A notice about money that goes back. Both lists may be empty. */
export interface MoneyBack {
  readonly refunds: readonly GatewayRefund[];
  readonly disputes: readonly GatewayDispute[];
  /**
   * Returns the checkout session of the account that took the payment; undefined without one. Other
   * systems may use the same gateway account.
   */
  sessionOf(payments: readonly string[], account: string): Promise<string | undefined>;
}

/** A refund that the service asks for. */
export interface RefundRequest {
  /** The gateway's id of the payment. */
  readonly payment: string;
  /** Id of the intent, under which the gateway makes one refund and which finds it again. */
  readonly intentId: string;
  /** Id of the payment's record. */
  readonly paymentId: string;
  readonly amount: number;
  readonly currency: string;
}

/** A refund that the gateway has rejected. It gives no money back. */
export class RefundRejected extends Error {
  override readonly name = 'RefundRejected';
}

/** No key of the account may read the payment: the gateway rejects them, or does not know the payment. */
export class KeysRejected extends Error {
  override readonly name = 'KeysRejected';
  constructor(cause: unknown) {
    super('The gateway rejects the keys of the account, or does not know the payment.', { cause });
  }
}

/** A gateway that gives money back. */
export interface RefundingGateway {
  /** Returns the currency in which the gateway took the payment. */
  currencyOf(payment: string): Promise<string>;
  /**
   * Makes the refund. A repeated call with the same intent makes none. Throws `RefundRejected` if
   * the gateway rejects it.
   */
  refund(request: RefundRequest): Promise<GatewayRefund>;
  /** Returns the refunds of the payment, of any age. Throws `KeysRejected` if no key knows the payment. */
  refundsOf(payment: string): Promise<readonly GatewayRefund[]>;
  /** Finds a refund of the payment by its intent, of any age. Throws `KeysRejected` if no key knows the payment. */
  findRefund(request: Pick<RefundRequest, 'payment' | 'intentId'>): Promise<GatewayRefund | undefined>;
}

export const gatewayNames = ['sandbox', 'stripe'] as const;
type GatewayName = (typeof gatewayNames)[number];

/** A service that takes payments. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /** Identifies the account's keys with which payments begin; null if the gateway needs no keys. */
  readonly keys: string | null;
  /** Whether the page asks for a card number. */
  readonly takesCards: boolean;
  /**
   * Returns how the shopper wants to pay, from the page's form. Throws `invalid_value` with the
   * field's name.
   */
  method(form: ReadonlyMap<string, string>): string;
  /**
   * Charges the session's total. A repeated call with the same session and key is the same payment.
   */
  charge(session: CheckoutSession, method: string, idempotencyKey: string, urls: ReturnUrls): Promise<Charge>;
  /** Returns the result of a pending payment; undefined if it is still pending. */
  check(session: SessionIn<'pending'>): Promise<Charge | undefined>;
  /**
   * Ends the gateway's page of a pending payment, so that it takes no money. Returns the payment's
   * result as of `check`: declined if the page has ended.
   */
  endPage(session: SessionIn<'pending'>): Promise<Charge | undefined>;
  /**
   * Returns the notice; undefined if it is of no interest. Throws `NoticeRejected` if it is forged.
   */
  readNotice(notice: RawNotice): Promise<Notice | MoneyBack | undefined>;
}

/** Types of Stripe's errors for an outage, a limit of its own, and keys that the merchant ended. */
const stripeFailures = /^Stripe(API|Authentication|Connection|Permission|RateLimit)Error$/;

/** Thrown if the gateway has not booked a payment yet. */
export class GatewayNotReady extends Error {
  override readonly name = 'GatewayNotReady';
}

/**
 * Whether the gateway or the merchant's keys failed, and not this service. The types are compared by
 * name, because Stripe's library is loaded only by requests that need it.
 */
export const isGatewayFailure = (error: unknown): boolean =>
  error instanceof GatewayNotReady ||
  // A payment that no key of the account knows is a 404 of Stripe.
  (error instanceof Error && 'statusCode' in error && error.statusCode === 404 && 'type' in error) ||
  (error instanceof Error && 'type' in error && stripeFailures.test(String(error.type)));

/** A notice that its gateway did not send. */
export class NoticeRejected extends Error {
  override readonly name = 'NoticeRejected';
}
