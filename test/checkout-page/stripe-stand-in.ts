import Stripe from 'stripe';
import { connectMock, onto } from '../stripe/mock.ts';
import { serve } from '../support/serve.ts';
import { type MoneyBackStandIn, openMoneyBack, type Rejection, reject, type Sent } from './stripe-stand-in-refunds.ts';

export const secretKey = 'sk_test_stand_in';
export const webhookSecret = 'whsec_stand_in';

/**
 * The part of Stripe's API that the service uses, on loopback: hosted sessions by idempotency key,
 * and their payments. It rejects what Stripe documents that it rejects; `npm run test:stripe`
 * checks the parameters by Stripe's own description.
 */
export interface StripeStandIn extends Omit<MoneyBackStandIn, 'answerOf' | 'losesAnswer'> {
  /** Opens a Stripe account, which cannot read other accounts' sessions. */
  openAccount(secretKey: string): void;
  /** Replaces the account's key; requests with the old key fail. */
  rollKey(from: string, to: string): void;
  readonly api: { readonly protocol: 'http'; readonly host: string; readonly port: number };
  /** Sessions that were created, as Stripe returns them. */
  readonly sessions: Map<string, any>;
  readonly requests: { readonly method: string; readonly path: string; readonly form: URLSearchParams; readonly key: string | undefined }[];
  /** Replaces the response to the next request. */
  failNext(status: number, error: object): void;
  /** Pays on Stripe's page, as the shopper. */
  pay(id: string, fields?: { readonly fee?: number; readonly balance?: object | null; readonly details?: object }): void;
  /** Returns a signed notice about a session, or another resource: its body and headers. */
  notice(type: string, about: string | object, secret?: string): { readonly body: string; readonly headers: Record<string, string> };
  stop(): Promise<void>;
}

const shortestPageSeconds = 30 * 60;
const longestPageSeconds = 24 * 3_600;
const smallest: Readonly<Record<string, number>> = { usd: 50, eur: 50, gbp: 30, jpy: 50, czk: 1_500, huf: 17_500 };
const largest = 99_999_999;

const rejectedText = (form: URLSearchParams): Rejection | undefined => {
  const metadata = new Map<string, number>();
  for (const [param, value] of form) {
    const [, block = '', key = ''] = /^(.*\bmetadata\]?)\[(.*)\]$/.exec(param) ?? [];
    if (block !== '') metadata.set(block, (metadata.get(block) ?? 0) + 1);
    if (value === '') return reject(param, 'You passed an empty string.', 'parameter_invalid_empty');
    if (key.length > 40 || (block !== '' && value.length > 500)) return reject(param, 'Metadata keys have 40 characters, values 500.');
  }
  return Math.max(0, ...metadata.values()) > 50 ? reject('metadata', 'Metadata have at most 50 keys.') : undefined;
};

/** Returns why Stripe rejects a new page, from its documented limits; undefined if it accepts it. */
const rejectionOf = (form: URLSearchParams, nowMs: number): Rejection | undefined => {
  const text = rejectedText(form);
  if (text) return text;
  if ((form.get('client_reference_id') ?? '').length > 200) return reject('client_reference_id', 'At most 200 characters.');
  const expiresAt = form.get('expires_at');
  const remainingSeconds = Number(expiresAt) - nowMs / 1_000;
  if (expiresAt !== null && !(remainingSeconds >= shortestPageSeconds && remainingSeconds <= longestPageSeconds))
    return reject(
      'expires_at',
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
    );
  const price = 'line_items[0][price_data]';
  const amount = Number(form.get(`${price}[unit_amount]`));
  if (!Number.isSafeInteger(amount)) return reject(`${price}[unit_amount]`, 'Invalid integer.', 'parameter_invalid_integer');
  if (amount < (smallest[form.get(`${price}[currency]`) ?? ''] ?? 1))
    return reject('line_items', 'The total is too small.', 'amount_too_small');
  if (amount > largest) return reject('line_items', 'The total is too large.', 'amount_too_large');
  return undefined;
};

/** Signs notices with the time that `now` returns, in milliseconds since the Unix epoch. */
export const startStripe = async (now: () => number): Promise<StripeStandIn> => {
  const mock = await connectMock();
  /** Requests that do not follow Stripe's description. */
  const wrong: unknown[] = [];
  const sessions = new Map<string, any>();
  const byKey = new Map<string, { readonly id: string; readonly sent: string }>();
  const requests: StripeStandIn['requests'] = [];
  const failures: { status: number; error: object }[] = [];
  /** Accounts by secret key, and by session id. */
  const accounts = new Map<string, number>([[secretKey, 1]]);
  const owners = new Map<string, number>();

  const create = (form: URLSearchParams, account: number, idempotencyKey: string): object | { readonly error: Rejection } => {
    const key = `${account} ${idempotencyKey}`;
    const known = byKey.get(key);
    if (known && known.sent !== String(form))
      return { error: { type: 'idempotency_error', message: 'Keys for idempotent requests can only be used with the same parameters.' } };
    if (known) return sessions.get(known.id);
    const error = rejectionOf(form, now());
    if (error) return { error };
    const id = `cs_test_${sessions.size + 1}`;
    const session = onto(mock?.session, {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: form.get('client_reference_id'),
      expires_at: Number(form.get('expires_at') ?? now() / 1_000 + longestPageSeconds),
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      metadata: { account: form.get('metadata[account]'), session: form.get('metadata[session]') },
      payment_intent: null,
    });
    byKey.set(key, { id, sent: String(form) });
    sessions.set(id, session);
    owners.set(id, account);
    return session;
  };

  const moneyBack = openMoneyBack({ sessions, owners, now });
  const unknown = (status: number, message: string) => ({ status, body: { error: { type: 'invalid_request_error', message } } });

  const replyTo = (method: string, path: string, query: URLSearchParams, sent: Sent) => {
    const { account, form, key } = sent;
    const reply = moneyBack.replyTo(method, path, query, sent);
    if (reply) return reply;
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const made = create(form, account, key);
      return { status: 'error' in made ? 400 : 200, body: made };
    }
    const [, id = '', ends] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path) ?? [];
    const session = sessions.get(id);
    if (ends && owners.get(id) === account) {
      if (session.status !== 'open') return unknown(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
      session.status = 'expired';
    }
    return owners.get(id) === account ? { status: 200, body: sessions.get(id) } : unknown(404, 'No such session');
  };

  const { port, stop } = await serve(async ({ method = '', url = '/', headers }, response, body) => {
    const sent = String(body);
    const form = new URLSearchParams(sent);
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    const key = headers['idempotency-key'] as string | undefined;
    requests.push({ method, path: pathname, form, key });
    const respond = (status: number, result: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    const failure = failures.shift();
    if (failure) return respond(failure.status, { error: failure.error });
    const rejected = await mock?.rejectionOf({ method, path: url, body: sent });
    if (rejected) {
      wrong.push({ method, url, sent, rejected });
      return respond(400, { error: rejected });
    }
    const account = accounts.get(headers.authorization?.replace('Bearer ', '') ?? '');
    const result =
      account === undefined ? unknown(401, 'Invalid API Key') : replyTo(method, pathname, searchParams, { account, form, key: key ?? '' });
    if (method === 'POST' && pathname === '/v1/refunds' && moneyBack.losesResponse()) return void response.destroy();
    return respond(result.status, result.body);
  });
  const signer = new Stripe(secretKey);

  return {
    openAccount: (key) => void accounts.set(key, accounts.size + 1),
    rollKey(from, to) {
      accounts.set(to, accounts.get(from) ?? 0);
      accounts.delete(from);
    },
    api: { protocol: 'http', host: '127.0.0.1', port },
    sessions,
    requests,
    failNext: (status, error) => failures.push({ status, error }),
    pay(id, { fee = 68, balance = { fee, currency: 'usd', exchange_rate: null }, details } = {}) {
      const session = sessions.get(id);
      const card = { brand: 'mastercard', last4: '4444', wallet: null };
      session.status = 'complete';
      session.payment_status = 'paid';
      const intent = { id: `pi_of_${id}`, latest_charge: { balance_transaction: balance } };
      session.payment_intent = onto(mock?.session.payment_intent, intent);
      session.payment_intent.latest_charge.payment_method_details = details ?? { type: 'card', card };
    },
    ...moneyBack,
    notice(type, about, secret = webhookSecret) {
      const object = typeof about === 'string' ? (sessions.get(about) ?? { id: about }) : about;
      const event = { ...mock?.event, id: 'evt_1', object: 'event', type, created: Math.floor(now() / 1000), data: { object } };
      const body = JSON.stringify(event);
      const timestamp = Math.floor(now() / 1000);
      return { body, headers: { 'stripe-signature': signer.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) } };
    },
    async stop() {
      await stop();
      if (wrong.length > 0) throw new Error(`Stripe describes other parameters: ${JSON.stringify(wrong)}`);
    },
  };
};
