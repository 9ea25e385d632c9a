import Stripe from 'stripe';
import '../../../shared/providers/payment-gateways/stripe.ts';
import type { StripeApi } from '../../../shared/providers/payment-gateways/stripe-client.ts';
import { BrokenConnection, connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import { short } from './calls.ts';
import { isChargeable } from './currencies.ts';
import { StripeMoneyBack } from './stripe-money-back.ts';
import { errorReply, type Hosted, type Reply } from './stripe-replies.ts';

/** The result of a payment on Stripe's page. */
export type Outcome = 'paid' | 'declined' | 'decided later';

/** A merchant's Stripe account: its keys and its webhook URL. */
export interface StripeAccount {
  readonly id: string;
  secretKey: string;
  webhookSecret: string;
  /** Former keys, which Stripe accepts until the given time. */
  readonly retired: { readonly secretKey: string; readonly untilMs: number }[];
  /** The account of the service that receives its webhooks. */
  readonly tenant: string;
}

/** Sends a webhook to the region once. Returns the status; undefined without a response. */
export type Notify = (tenant: string, body: string, signature: string) => Promise<number | undefined>;

const minute = 60_000;
const hour = 60 * minute;
const hostedLifeMs = 24 * hour;
const shortestLifeMs = 30 * minute;
const keysLifeMs = 24 * hour;
/** Delays between tries of a failed webhook. Stripe retries for three days. */
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour];

/** Returns Stripe's fee in the currency's smallest unit. */
export const feeOf = ({ amount_total }: Pick<Hosted, 'amount_total'>): number => 30 + Math.round(amount_total * 0.029);

/** Returns a response in the form that Stripe's library expects. */
const responseOf = ({ status, body }: Reply) => ({
  getStatusCode: () => status,
  getHeaders: () => ({}),
  getRawResponse: () => body,
  toStream: (): never => {
    throw new Error('The simulated Stripe streams nothing.');
  },
  toJSON: async () => JSON.parse(JSON.stringify(body)) as object,
});

/**
 * A model of Stripe: hosted sessions by idempotency key, payments, and webhooks that arrive late,
 * twice and in any order until they succeed.
 */
export class StripeModel {
  readonly hosted = new Map<string, Hosted>();
  /** Refunds and disputes of the payments. */
  readonly moneyBack: StripeMoneyBack;
  /** Number of webhooks that have not succeeded yet. */
  waiting = 0;
  /** Sessions of the service: the process that creates their next page dies before it gets the response. */
  readonly doomed = new Set<string>();
  readonly #world: World;
  readonly #notify: Notify;
  readonly #accounts: StripeAccount[] = [];
  readonly #byKey = new Map<string, { readonly id: string; readonly form: string; readonly untilMs: number }>();
  readonly #signer = new Stripe('sk_simulated');

  constructor(world: World, notify: Notify) {
    this.#world = world;
    this.#notify = notify;
    this.moneyBack = new StripeMoneyBack(world, {
      hosted: this.hosted,
      tenantOf: (account) => this.#accounts.find(({ id }) => id === account)?.tenant ?? '',
      tell: (...notice) => this.#tell(...notice),
      wait: (ms, work) => {
        this.waiting += 1;
        world.scheduler.after(ms, () => {
          this.waiting -= 1;
          work();
        });
      },
    });
  }

  /** Returns the paid sessions of the service's account. */
  paidTo(tenant: string): readonly Hosted[] {
    const own = new Set(this.#accounts.filter((account) => account.tenant === tenant).map(({ id }) => id));
    return [...this.hosted.values()].filter(({ account, payment_status }) => own.has(account) && payment_status === 'paid');
  }

  #secret(name: string): string {
    return Buffer.from(this.#world.scheduler.stream(`stripe ${name}`).bytes(18)).toString('base64url');
  }

  openAccount(tenant: string): StripeAccount {
    const id = `stripe-${this.#accounts.length + 1}`;
    const account = { id, tenant, secretKey: `sk_${this.#secret(id)}`, webhookSecret: `whsec_${this.#secret(`${id} hook`)}`, retired: [] };
    this.#accounts.push(account);
    return account;
  }

  /** Gives the account a new key. The former one is accepted for one more day. */
  rollKey(account: StripeAccount): void {
    account.retired.push({ secretKey: account.secretKey, untilMs: this.#world.scheduler.now() + keysLifeMs });
    account.secretKey = `sk_${this.#secret(`${account.id} key ${account.retired.length}`)}`;
  }

  /** Returns the HTTP client of Stripe's library for a process. */
  from(process: Process): StripeApi {
    return {
      httpClient: {
        getClientName: () => 'simulated',
        makeRequest: async (_host, _port, path, method, headers, form) => {
          try {
            const reply = await process.call({
              what: () => short(`Stripe ${method} ${path.split('?')[0]}`),
              faults: [...connectionFates, 'throttled', 'unavailable'],
              carry: (fault): Reply => {
                if (fault === 'throttled') return errorReply(429, { type: 'invalid_request_error', code: 'rate_limit' });
                if (fault) return errorReply(500, { type: 'api_error' });
                const reply = this.#answer(method, path, headers as Record<string, string>, form);
                const session = path === '/v1/checkout/sessions' ? new URLSearchParams(form).get('client_reference_id') : null;
                if (session !== null && this.doomed.delete(session)) process.kill(`dies after Stripe has a page for ${short(session)}`);
                return reply;
              },
            });
            return responseOf(reply);
          } catch (error) {
            // The error that Stripe's HTTP client throws.
            if (error instanceof BrokenConnection) throw Object.assign(new Error(error.message), { code: 'ECONNRESET' });
            throw error;
          }
        },
      },
    };
  }

  #answer(method: string, url: string, headers: Readonly<Record<string, string>>, form: string): Reply {
    const [path = '', query = ''] = url.split('?');
    const now = this.#world.scheduler.now();
    const key = headers['Authorization']?.replace('Bearer ', '');
    const account = this.#accounts.find(
      ({ secretKey, retired }) => secretKey === key || retired.some((old) => old.secretKey === key && old.untilMs > now),
    );
    if (!account) return errorReply(401, { type: 'invalid_request_error', message: 'Invalid API Key' });
    const idempotencyKey = headers['Idempotency-Key'] ?? '';
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#create(account, form, idempotencyKey);
    const moneyBack = this.moneyBack.replyTo(method, path, query, { account: account.id, form, idempotencyKey });
    if (moneyBack) return moneyBack;
    const [, id = '', ends] = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(path) ?? [];
    const hosted = this.hosted.get(id);
    if (hosted?.account !== account.id) return errorReply(404, { type: 'invalid_request_error', message: 'No such session' });
    if (ends && hosted.status !== 'open') return errorReply(400, { type: 'invalid_request_error', message: 'The session is not open.' });
    if (ends) this.#expire(hosted);
    return { status: 200, body: this.#shown(hosted) };
  }

  #create(account: StripeAccount, form: string, idempotencyKey: string): Reply {
    const now = this.#world.scheduler.now();
    const name = `${account.id} ${idempotencyKey}`;
    const known = this.#byKey.get(name);
    if (known && known.untilMs > now) {
      if (known.form !== form) return errorReply(400, { type: 'idempotency_error', message: 'Keys are for one request.' });
      return { status: 200, body: this.#shown(this.hosted.get(known.id) as Hosted) };
    }
    const fields = new URLSearchParams(form);
    const expiresMs = Number(fields.get('expires_at') ?? Math.floor((now + hostedLifeMs) / 1000)) * 1000;
    if (expiresMs < now + shortestLifeMs) return errorReply(400, { type: 'invalid_request_error', param: 'expires_at' });
    const amount_total = Number(fields.get('line_items[0][price_data][unit_amount]'));
    const currency = fields.get('line_items[0][price_data][currency]') ?? '';
    if (!isChargeable(amount_total, currency)) return errorReply(400, { type: 'invalid_request_error', param: 'unit_amount' });
    const id = `cs_live_${this.hosted.size + 1}`;
    const hosted: Hosted = {
      ...{ id, account: account.id, url: `https://checkout.stripe.com/c/pay/${id}`, status: 'open', payment_status: 'unpaid' },
      client_reference_id: fields.get('client_reference_id') ?? '',
      ...{ amount_total, currency, openedMs: now, closedMs: Number.POSITIVE_INFINITY, expiresMs },
    };
    this.hosted.set(id, hosted);
    this.#byKey.set(name, { id, form, untilMs: now + keysLifeMs });
    this.#world.scheduler.after(expiresMs - now, () => {
      this.#expire(hosted);
    });
    return { status: 200, body: this.#shown(hosted) };
  }

  #shown({ account: _, openedMs: __, closedMs: ___, expiresMs, ...hosted }: Hosted): object {
    // The payment is captured at once, so its fee is known.
    const balance_transaction = { fee: feeOf(hosted), currency: hosted.currency, exchange_rate: null };
    const card = { brand: 'visa', last4: '4242', wallet: null };
    const payment_intent =
      hosted.payment_status === 'paid'
        ? { id: `pi_${hosted.id}`, latest_charge: { payment_method_details: { type: 'card', card }, balance_transaction } }
        : null;
    return { ...hosted, object: 'checkout.session', expires_at: expiresMs / 1000, payment_intent };
  }

  #close(hosted: Hosted, status: 'complete' | 'expired'): void {
    hosted.status = status;
    hosted.closedMs = this.#world.scheduler.now();
  }

  #expire(hosted: Hosted): void {
    if (hosted.status !== 'open') return;
    this.#close(hosted, 'expired');
    this.#announce(hosted, 'expired');
  }

  /** Ends an open page before its time, as the merchant can in Stripe's dashboard. */
  endPage(url: string): void {
    const hosted = this.#at(url);
    if (hosted) this.#expire(hosted);
  }

  #at(url: string): Hosted | undefined {
    return this.hosted.get(url.slice(url.lastIndexOf('/') + 1));
  }

  /** Charges the card once. */
  #take(hosted: Hosted): void {
    hosted.payment_status = 'paid';
    this.#world.scheduler.note('stripe', `takes the money of ${hosted.id} for ${short(hosted.client_reference_id)}`);
  }

  /** Pays on Stripe's page. Returns false if the session no longer accepts payments. */
  pay(url: string, outcome: Outcome, random: Random): boolean {
    const hosted = this.#at(url);
    if (hosted?.status !== 'open') return false;
    if (outcome === 'declined') return true;
    this.#close(hosted, 'complete');
    if (outcome === 'paid') this.#take(hosted);
    this.#announce(hosted, 'completed');
    if (outcome === 'decided later') {
      const succeeds = random.chance(0.6);
      this.waiting += 1;
      this.#world.scheduler.after(random.below(2 * hour), () => {
        this.waiting -= 1;
        if (succeeds) this.#take(hosted);
        this.#announce(hosted, succeeds ? 'async_payment_succeeded' : 'async_payment_failed');
      });
    }
    return true;
  }

  /** Sends the webhook of a session's result. */
  #announce(hosted: Hosted, type: string): void {
    this.#tell(hosted.account, `${type} of ${hosted.id}`, `checkout.session.${type}`, this.#shown(hosted));
  }

  /** Sends a webhook until it succeeds, sometimes twice. A late one contains an outdated state. */
  #tell(owner: string, name: string, type: string, object: object): void {
    const { scheduler, faults } = this.#world;
    const random = scheduler.stream(name);
    const created = Math.floor(scheduler.now() / 1000);
    const body = JSON.stringify({ id: `evt_${name}`, object: 'event', type, created, data: { object } });
    const copies = faults.befalls('notice twice', name, faults.level.repeats, random) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const isLate = faults.befalls('notice late', `${name} ${copy}`, faults.level.repeats, random);
      this.waiting += 1;
      // Half of the webhooks arrive while the shopper returns to the shop.
      scheduler.after(random.below(isLate ? hour : random.chance(0.5) ? 60 : 3_000), () => void this.#send(owner, name, body, random));
    }
  }

  async #send(owner: string, name: string, body: string, random: Random): Promise<void> {
    const { scheduler } = this.#world;
    const account = this.#accounts.find(({ id }) => id === owner) as StripeAccount;
    for (const pause of [...pauses, ...pauses.slice(-1)]) {
      const timestamp = Math.floor(scheduler.now() / 1000);
      const signature = this.#signer.webhooks.generateTestHeaderString({ payload: body, secret: account.webhookSecret, timestamp });
      const status = await this.#notify(account.tenant, body, signature);
      scheduler.note('stripe', `sends ${name}: ${status ?? 'no response'}`);
      if (status !== undefined && status < 300) break;
      await scheduler.sleep(pause + random.below(minute));
    }
    this.waiting -= 1;
  }
}
