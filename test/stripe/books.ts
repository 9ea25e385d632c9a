import Stripe from 'stripe';
import { onto } from './mock.ts';
import { assertAmount, type Minima, metadataOf, pageOf, RequestRejected } from './rules.ts';

/** A Stripe account, which cannot read what other accounts have. */
export interface StripeAccount {
  readonly id: string;
  secretKey: string;
  /** Former keys, which Stripe accepts until the given time. */
  readonly retired: { readonly secretKey: string; readonly untilMs: number }[];
}

/** A hosted session as Stripe returns it, with its account and the time in which it could be paid. */
export interface HostedSession {
  readonly id: string;
  readonly account: string;
  readonly url: string;
  readonly client_reference_id: string;
  /** In the currency's smallest unit. */
  readonly amount_total: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** In seconds since the Unix epoch. */
  readonly expires_at: number;
  /** When the page opened, and when it no longer took a payment. */
  readonly openedMs: number;
  closedMs: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: { readonly id: string; readonly latest_charge: object } | null;
}

/** A refund as Stripe returns it. */
export interface StripeRefund {
  readonly id: string;
  readonly object: 'refund';
  readonly payment_intent: string;
  readonly charge: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created: number;
  status: 'pending' | 'succeeded' | 'failed';
}

/** A dispute as Stripe returns it. */
export interface StripeDispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly payment_intent: string;
  readonly charge: string;
  readonly created: number;
  status: 'warning_needs_response' | 'needs_response' | 'under_review' | 'won' | 'lost';
}

export interface StripeCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly secretKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body: object;
}

export interface BooksOptions {
  readonly now: () => number;
  readonly minima?: Minima;
  /** A session with the fields that the service does not read. */
  readonly template?: any;
  /** Whether a new refund succeeds at once, fails, or is decided later. */
  refundStatus(): StripeRefund['status'];
  opened?(session: HostedSession): void;
  ended?(session: HostedSession): void;
  refunded?(refund: StripeRefund): void;
}

const keysLifeMs = 24 * 3_600_000;
const unpaid = { status: 'open', payment_status: 'unpaid', payment_intent: null } as const;

export const paymentOf = ({ id }: Pick<HostedSession, 'id'>): string => `pi_${id}`;
export const chargeOf = (payment: string): string => payment.replace('pi_', 'ch_');
export const errorReply = (status: number, error: object): Reply => ({ status, body: { error } });

const signer = new Stripe('sk_signer');
/** Returns the header `stripe-signature` of a notice. */
export const signatureOf = (payload: string, secret: string, nowMs: number): string =>
  signer.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(nowMs / 1_000) });

/** Returns the session as Stripe returns it. */
export const shown = ({ account: _, openedMs: __, closedMs: ___, ...session }: HostedSession): object => session;

const listOf = (path: string, data: readonly object[]) => ({ object: 'list', data, has_more: false, url: path });

/**
 * Stripe's API as far as the service uses it: hosted sessions, payments, refunds and disputes, by
 * account and idempotency key. It rejects what Stripe documents that it rejects.
 */
export class StripeBooks {
  readonly accounts: StripeAccount[] = [];
  readonly sessions = new Map<string, HostedSession>();
  /** In the order in which they were made. */
  readonly refunds: StripeRefund[] = [];
  readonly disputes = new Map<string, StripeDispute>();
  /** The webhook endpoints of every account, and whether it can take payments. */
  readonly profile = { endpoints: [] as object[], canCharge: true };
  readonly #byKey = new Map<string, { readonly body: string; readonly untilMs: number; read(): object }>();
  readonly #options: BooksOptions;

  constructor(options: BooksOptions) {
    this.#options = options;
  }

  reply(call: StripeCall): Reply {
    try {
      return { status: 200, body: this.#resultOf(call) };
    } catch (error) {
      if (error instanceof RequestRejected) return errorReply(error.status, error.error);
      throw error;
    }
  }

  #resultOf(call: StripeCall): object {
    const { secretKey, method, url } = call;
    const { pathname: path, searchParams: query } = new URL(url, 'http://stripe');
    const now = this.#options.now();
    const account = this.accounts.find(
      (one) => one.secretKey === secretKey || one.retired.some((old) => old.secretKey === secretKey && old.untilMs > now),
    )?.id;
    if (account === undefined) throw new RequestRejected(401, { message: 'Invalid API Key' });
    const [, kind = '', id, ends] = /^\/v1\/(checkout\/sessions|[a-z_]+)(?:\/(\w+))?(\/expire)?$/.exec(path) ?? [];
    if (kind === 'balance') return { object: 'balance' };
    if (kind === 'account') return { id: 'acct_1', object: 'account', charges_enabled: this.profile.canCharge };
    if (kind === 'webhook_endpoints') return listOf(path, this.profile.endpoints);
    if (method === 'POST' && ['refunds', 'checkout/sessions'].includes(kind) && id === undefined) return this.#create(kind, account, call);
    if (kind === 'refunds' && id === undefined) {
      const payment = query.get('payment_intent') ?? query.get('charge');
      const isListed = (one: StripeRefund) => this.#owns(account, one) && [one.payment_intent, one.charge].includes(payment ?? '');
      return listOf(path, this.refunds.filter(isListed).reverse());
    }
    return this.#find(kind, id ?? '', account, ends !== undefined);
  }

  /** Returns a resource of the account. Throws if it has none with this id. */
  #find(kind: string, id: string, account: string, ends: boolean): object {
    const missing = new RequestRejected(404, { message: `No such ${kind}: '${id}'`, param: 'id', code: 'resource_missing' });
    if (kind === 'refunds' || kind === 'disputes') {
      const found = kind === 'refunds' ? this.refunds.find((one) => one.id === id) : this.disputes.get(id);
      if (!found || !this.#owns(account, found)) throw missing;
      return found;
    }
    const session = kind === 'payment_intents' ? this.sessionOf(id) : this.sessions.get(id);
    if (session?.account !== account) throw missing;
    if (kind === 'payment_intents') return { ...session.payment_intent, currency: session.currency, metadata: session.metadata };
    if (ends && session.status !== 'open')
      throw new RequestRejected(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired.' });
    if (ends) this.end(session);
    return shown(session);
  }

  /** Creates a session or a refund, or returns the one that was created with this key. */
  #create(kind: string, account: string, { idempotencyKey, body }: StripeCall): object {
    const now = this.#options.now();
    const key = `${account} ${idempotencyKey}`;
    const known = this.#byKey.get(key);
    if (known && known.untilMs > now) {
      if (known.body === body) return known.read();
      const message = 'Keys for idempotent requests can only be used with the same parameters.';
      throw new RequestRejected(400, { type: 'idempotency_error', message });
    }
    const form = new URLSearchParams(body);
    const read = kind === 'refunds' ? this.#createRefund(account, form) : this.#createSession(account, form);
    if (idempotencyKey !== undefined) this.#byKey.set(key, { body, untilMs: now + keysLifeMs, read });
    return read();
  }

  #createSession(account: string, form: URLSearchParams): () => object {
    const { now, minima = {}, template, opened } = this.#options;
    const id = `cs_live_${this.sessions.size + 1}`;
    const url = `https://checkout.stripe.com/c/pay/${id}`;
    const values = { id, object: 'checkout.session', url, ...unpaid, ...pageOf(form, now(), minima) };
    const session: HostedSession = { ...onto(template, values), account, openedMs: now(), closedMs: Number.POSITIVE_INFINITY };
    this.sessions.set(id, session);
    opened?.(session);
    return () => shown(session);
  }

  #createRefund(account: string, form: URLSearchParams): () => object {
    const payment = form.get('payment_intent') ?? '';
    if (this.sessionOf(payment)?.account !== account)
      throw new RequestRejected(404, {
        message: `No such payment_intent: '${payment}'`,
        param: 'payment_intent',
        code: 'resource_missing',
      });
    const refund = this.refund(payment, Number(form.get('amount')), { metadata: metadataOf(form) });
    return () => refund;
  }

  #owns(account: string, { payment_intent }: StripeRefund | StripeDispute): boolean {
    return this.sessionOf(payment_intent)?.account === account;
  }

  /** Returns the session of a payment; undefined if nobody has paid it. */
  sessionOf(payment: string): HostedSession | undefined {
    const session = this.sessions.get(payment.replace('pi_', ''));
    return session?.payment_status === 'paid' ? session : undefined;
  }

  /** Returns the amount that was taken and not given back, in the smallest unit. */
  remaining(payment: string): number {
    const refunded = this.refunds.filter((one) => one.payment_intent === payment && one.status !== 'failed');
    return (this.sessionOf(payment)?.amount_total ?? 0) - refunded.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Makes a refund. Throws if Stripe rejects it. */
  refund(payment: string, amount: number, fields: Partial<StripeRefund> = {}): StripeRefund {
    const { currency = '' } = this.sessionOf(payment) ?? {};
    assertAmount('amount', amount, currency);
    const remaining = this.remaining(payment);
    if (amount > remaining)
      throw new RequestRejected(400, {
        message: `Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining}).`,
        param: 'amount',
      });
    const refund: StripeRefund = {
      ...{ id: `re_${this.refunds.length + 1}`, object: 'refund', ...this.#of(payment) },
      ...{ amount, currency, metadata: {}, status: this.#options.refundStatus(), ...fields },
    };
    this.refunds.push(refund);
    this.#options.refunded?.(refund);
    return refund;
  }

  #of(payment: string) {
    return { payment_intent: payment, charge: chargeOf(payment), created: Math.floor(this.#options.now() / 1_000) };
  }

  /** Opens a dispute of a payment, or changes it. */
  dispute(payment: string, id: string, status: StripeDispute['status']): StripeDispute {
    const dispute: StripeDispute = { id, object: 'dispute', status, ...this.#of(payment) };
    this.disputes.set(id, dispute);
    return dispute;
  }

  /** Closes a page, which cannot be paid afterwards. */
  close(session: HostedSession, status: 'complete' | 'expired'): void {
    session.status = status;
    session.closedMs = this.#options.now();
  }

  /** Ends an open page without a payment. */
  end(session: HostedSession): void {
    if (session.status !== 'open') return;
    this.close(session, 'expired');
    this.#options.ended?.(session);
  }

  /** Takes the money of a session: `balance` is null until Stripe has booked its fee. */
  take(session: HostedSession, balance: object | null, details: object): void {
    session.payment_status = 'paid';
    const intent = { id: paymentOf(session), latest_charge: { balance_transaction: balance } };
    session.payment_intent = onto(this.#options.template?.payment_intent, intent);
    Object.assign(session.payment_intent?.latest_charge ?? {}, { payment_method_details: details });
  }
}
