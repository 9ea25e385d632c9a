import type { CheckoutSession, SessionIn } from '../../domain/checkout/record.ts';
import type { Charge } from '../../domain/checkout/rules.ts';

/** Addresses that a gateway sends the shopper back to. */
export interface ReturnUrls {
  /** After paying: the page asks the gateway what became of the payment. */
  readonly done: string;
  readonly cancelled: string;
}

/** A notice as it came in; headers in lower case. */
export interface RawNotice {
  readonly body: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** News of one session's payment. */
interface Notice {
  readonly session: string;
  /** Undefined where nothing is decided; throws `NoticeRefused` where it does not come from the gateway after all. */
  judge(session: CheckoutSession): Promise<Charge | undefined>;
}

export const gatewayNames = ['sandbox', 'stripe'] as const;
type GatewayName = (typeof gatewayNames)[number];

/** Where payments are made. */
export interface PaymentGateway {
  readonly name: GatewayName;
  /** Which of the account's keys payments are begun with; null where there are none. */
  readonly keys: string | null;
  /** Whether the page asks for a card number. */
  readonly takesCards: boolean;
  /** How the shopper wants to pay, from the page's form; throws `invalid_value` naming its field. */
  method(form: ReadonlyMap<string, string>): string;
  /** Asks for the session's total. The same key with the same session is the same payment, however often it is asked for. */
  charge(session: CheckoutSession, method: string, idempotencyKey: string, urls: ReturnUrls): Promise<Charge>;
  /** What became of a payment that was not decided at once; undefined where it still is not. */
  check(session: SessionIn<'pending'>): Promise<Charge | undefined>;
  /** Undefined for news that mean nothing here; throws `NoticeRefused` for a forged one. */
  readNotice(notice: RawNotice): Promise<Notice | undefined>;
}

/** A notice that its gateway did not send. */
export class NoticeRefused extends Error {
  override readonly name = 'NoticeRefused';
}
