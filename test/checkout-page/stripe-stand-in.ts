import Stripe from 'stripe';
import { serve } from '../support/serve.ts';

export const secretKey = 'sk_test_stand_in';
export const webhookSecret = 'whsec_stand_in';

/**
 * The part of Stripe's API that the service uses, on loopback: hosted sessions by idempotency key,
 * and their payments.
 */
export interface StripeStandIn {
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
  pay(id: string, members?: { readonly fee?: number; readonly balance?: object | null; readonly details?: object }): void;
  /** Returns a signed notice about a session: its body and headers. */
  notice(type: string, id: string, secret?: string): { readonly body: string; readonly headers: Record<string, string> };
  stop(): Promise<void>;
}

/** Smallest amounts in the currency's smallest unit. */
const minimums: Readonly<Record<string, number>> = { usd: 50, eur: 50, aud: 50, jpy: 50 };

/** Signs notices with the time that `now` returns, in milliseconds since the Unix epoch. */
export const startStripe = async (now: () => number): Promise<StripeStandIn> => {
  const sessions = new Map<string, any>();
  const byKey = new Map<string, string>();
  const requests: StripeStandIn['requests'] = [];
  const failures: { status: number; error: object }[] = [];
  /** Accounts by secret key, and by session id. */
  const accounts = new Map<string, number>([[secretKey, 1]]);
  const owners = new Map<string, number>();

  /** Limits that Stripe documents for a session: when its page ends, and its smallest amount. */
  const refusalOf = (form: URLSearchParams): object | undefined => {
    const refuse = (members: object) => ({ type: 'invalid_request_error', ...members });
    const lifeSeconds = Number(form.get('expires_at')) - now() / 1000;
    if (lifeSeconds < 30 * 60 || lifeSeconds > 24 * 3600)
      return refuse({ param: 'expires_at', message: 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.' });
    const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
    const least = minimums[form.get('line_items[0][price_data][currency]') ?? ''] ?? 1;
    return amount < least ? refuse({ code: 'amount_too_small', message: 'The total amount due is too small.' }) : undefined;
  };

  const create = (form: URLSearchParams, account: number, idempotencyKey: string) => {
    const key = `${account} ${idempotencyKey}`;
    const known = byKey.get(key);
    if (known) return sessions.get(known);
    const id = `cs_test_${sessions.size + 1}`;
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      client_reference_id: form.get('client_reference_id'),
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
      expires_at: Number(form.get('expires_at')),
      payment_intent: null,
    };
    byKey.set(key, id);
    sessions.set(id, session);
    owners.set(id, account);
    return session;
  };

  const { port, stop } = await serve((request, response, body) => {
    const url = new URL(request.url ?? '/', 'http://stripe');
    const form = new URLSearchParams(String(body));
    const key = request.headers['idempotency-key'] as string | undefined;
    requests.push({ method: request.method ?? '', path: url.pathname, form, key });
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const failure = failures.shift();
    if (failure) return answer(failure.status, { error: failure.error });
    const account = accounts.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (account === undefined) return answer(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key' } });
    const id = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(url.pathname)?.[1];
    if (request.method === 'POST' && url.pathname === '/v1/checkout/sessions') {
      const refusal = refusalOf(form);
      return refusal ? answer(400, { error: refusal }) : answer(200, create(form, account, key ?? ''));
    }
    const session = id && owners.get(id) === account && sessions.get(id);
    return session ? answer(200, session) : answer(404, { error: { type: 'invalid_request_error', message: 'No such session' } });
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
      session.payment_intent = {
        id: `pi_of_${id}`,
        latest_charge: { payment_method_details: details ?? { type: 'card', card }, balance_transaction: balance },
      };
    },
    notice(type, id, secret = webhookSecret) {
      const body = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object: sessions.get(id) ?? { id } } });
      const timestamp = Math.floor(now() / 1000);
      return { body, headers: { 'stripe-signature': signer.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) } };
    },
    stop,
  };
};
