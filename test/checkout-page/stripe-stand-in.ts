import { StripeBooks, type StripeDispute, type StripeRefund, shown, signatureOf } from '../stripe/books.ts';
import { connectMock } from '../stripe/mock.ts';
import { serve } from '../support/serve.ts';

export const secretKey = 'sk_test_stand_in';
export const webhookSecret = 'whsec_stand_in';

/**
 * Stripe's API on loopback. `npm run test:stripe` checks the parameters of its requests by Stripe's
 * own description.
 */
export interface StripeStandIn {
  /** Opens a Stripe account. */
  openAccount(secretKey: string): void;
  /** Replaces the account's key; requests with the old key fail. */
  rollKey(from: string, to: string): void;
  readonly api: { readonly protocol: 'http'; readonly host: string; readonly port: number };
  /** Sessions that were created, as Stripe returns them. */
  readonly sessions: Map<string, any>;
  readonly requests: { readonly method: string; readonly path: string; readonly form: URLSearchParams; readonly key: string | undefined }[];
  /** Refunds of all payments, as Stripe returns them, in the order in which they were made. */
  readonly refunds: readonly any[];
  /** The account's webhook endpoints, and whether it can take payments. */
  readonly profile: StripeBooks['profile'];
  /** Replaces the response to the next request. */
  failNext(status: number, error: object): void;
  /**
   * Ends the connection of the next request that makes a refund, after it is made, and that of its
   * repetition by Stripe's library.
   */
  loseNextResponse(): void;
  /** Pays on Stripe's page, as the shopper. */
  pay(id: string, fields?: { readonly fee?: number; readonly balance?: object | null; readonly details?: object }): void;
  /** Sets the status of refunds that are asked for from now on. */
  refundsBecome(status: StripeRefund['status']): void;
  /** Makes a refund in Stripe's dashboard. Returns it. */
  refundAt(payment: string, amount: number, fields?: object): any;
  /** Opens a dispute of a payment, or changes it. Returns it. */
  dispute(payment: string, id: string, status: string): any;
  /** Returns a signed notice about a session, or another resource: its body and headers. */
  notice(type: string, about: string | object, secret?: string): { readonly body: string; readonly headers: Record<string, string> };
  stop(): Promise<void>;
}

const minima = { usd: 50, eur: 50, gbp: 30, jpy: 50, czk: 1_500, huf: 17_500 };
const card = { type: 'card', card: { brand: 'mastercard', last4: '4444', wallet: null } };

/** Signs notices with the time that `now` returns, in milliseconds since the Unix epoch. */
export const startStripe = async (now: () => number): Promise<StripeStandIn> => {
  const mock = await connectMock();
  /** Requests that do not follow Stripe's description. */
  const wrong: unknown[] = [];
  const requests: StripeStandIn['requests'] = [];
  const failures: { status: number; error: object }[] = [];
  let [lost, status]: [number, StripeRefund['status']] = [0, 'succeeded'];
  const books = new StripeBooks({ now, minima, template: mock?.session, refundStatus: () => status });
  const openAccount = (key: string): void => {
    if (!books.accounts.some((one) => one.secretKey === key))
      books.accounts.push({ id: String(books.accounts.length + 1), secretKey: key, retired: [] });
  };
  openAccount(secretKey);

  const { port, stop } = await serve(async ({ method = '', url = '/', headers }, response, data) => {
    const body = String(data);
    const { pathname: path } = new URL(url, 'http://stripe');
    const key = headers['idempotency-key'] as string | undefined;
    requests.push({ method, path, form: new URLSearchParams(body), key });
    const respond = (code: number, result: object) =>
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(result));
    const failure = failures.shift();
    if (failure) return respond(failure.status, { error: failure.error });
    const rejected = await mock?.rejectionOf({ method, path: url, body });
    if (rejected) {
      wrong.push({ method, url, body, rejected });
      return respond(400, { error: rejected });
    }
    const reply = books.reply({ method, url, secretKey: headers.authorization?.replace('Bearer ', ''), idempotencyKey: key, body });
    if (method === 'POST' && path === '/v1/refunds' && reply.status === 200 && lost > 0 && lost--) return void response.destroy();
    return respond(reply.status, reply.body);
  });

  return {
    openAccount,
    rollKey(from, to) {
      const account = books.accounts.find((one) => one.secretKey === from);
      if (account) account.secretKey = to;
    },
    api: { protocol: 'http', host: '127.0.0.1', port },
    ...{ sessions: books.sessions, refunds: books.refunds, profile: books.profile, requests },
    failNext: (code, error) => failures.push({ status: code, error }),
    loseNextResponse() {
      lost = 2;
    },
    pay(id, { fee = 68, balance = { fee, currency: 'usd', exchange_rate: null }, details = card } = {}) {
      const session = books.sessions.get(id);
      if (!session) throw new Error(`Stripe has no page ${id}.`);
      books.close(session, 'complete');
      books.take(session, balance, details);
    },
    refundsBecome(next) {
      status = next;
    },
    refundAt: (...refund) => books.refund(...refund),
    dispute: (payment, id, next) => books.dispute(payment, id, next as StripeDispute['status']),
    notice(type, about, secret = webhookSecret) {
      const session = typeof about === 'string' ? books.sessions.get(about) : undefined;
      const object = session ? shown(session) : typeof about === 'string' ? { id: about } : about;
      const event = { ...mock?.event, id: 'evt_1', object: 'event', type, created: Math.floor(now() / 1000), data: { object } };
      const body = JSON.stringify(event);
      return { body, headers: { 'stripe-signature': signatureOf(body, secret, now()) } };
    },
    async stop() {
      await stop();
      if (wrong.length > 0) throw new Error(`Stripe describes other parameters: ${JSON.stringify(wrong)}`);
    },
  };
};
