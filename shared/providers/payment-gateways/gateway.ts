import type { CheckoutSession, SessionIn } from '../../domain/checkout/record.ts';
import type { Charge } from '../../domain/checkout/rules.ts';

/** Addresses that a gateway sends the shopper back to. */
export interface ReturnUrls {
  /** Page that asks the gateway for the result, after paying. */
  readonly done: string;
  readonly cancelled: string;
}

/** A notice as received; header names in lower case. */
export interface RawNotice {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** News of one session's payment. */
interface Notice {
  readonly session: string;
  /**
   * Undefined if the notice decides nothing. Throws `NoticeRefused` if it does not come from the
   * gateway.
   */
  judge(session: CheckoutSession): Promise<Charge | undefined>;
}

export const gatewayNames = ['sandbox', 'stripe'] as const;
type GatewayName = (typeof gatewayNames)[number];

/** A service that takes payments. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /** Identifies the account's keys with which payments begin; null without keys. */
  readonly keys: string | null;
  /** Whether the page asks for a card number. */
  readonly takesCards: boolean;
  /**
   * How the shopper wants to pay, from the page's form; throws `invalid_value` naming its field.
   */
  method(form: ReadonlyMap<string, string>): string;
  /**
   * Asks for the session's total. The same key with the same session is the same payment, however
   * often it is asked for.
   */
  charge(session: CheckoutSession, method: string, idempotencyKey: string, urls: ReturnUrls): Promise<Charge>;
  /** Returns the result of a pending payment; undefined if it is still pending. */
  check(session: SessionIn<'pending'>): Promise<Charge | undefined>;
  /** Undefined for news that mean nothing here; throws `NoticeRefused` for a forged one. */
  readNotice(notice: RawNotice): Promise<Notice | undefined>;
}

/** A notice that its gateway did not send. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}
