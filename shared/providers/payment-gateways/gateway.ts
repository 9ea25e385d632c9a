import type { CheckoutSession, SessionIn } from '../../domain/checkout/record.ts';
import type { Charge } from '../../domain/checkout/rules.ts';

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
interface Notice {
  readonly session: string;
  /** The gateway's id of the payment, if the notice says that money was taken. */
  readonly taken?: string | undefined;
  /**
   * Returns the result that the notice reports; undefined if it reports none. Throws
   * `NoticeRefused` if the notice does not come from the gateway.
   */
  judge(session: CheckoutSession): Promise<Charge | undefined>;
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
   * Returns the notice; undefined if it is of no interest. Throws `NoticeRefused` if it is forged.
   */
  readNotice(notice: RawNotice): Promise<Notice | undefined>;
}

/** A notice that its gateway did not send. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}
