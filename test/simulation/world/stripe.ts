import '../../../shared/providers/payment-gateways/stripe.ts';
import type { StripeApi } from '../../../shared/providers/payment-gateways/stripe-client.ts';
import {
  type StripeAccount as Account,
  errorReply,
  type HostedSession,
  paymentOf,
  type Reply,
  StripeBooks,
  type StripeDispute,
  type StripeRefund,
  shown,
  signatureOf,
} from '../../stripe/books.ts';
import { BrokenConnection, connectionFates, type Process, type World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import { short } from './calls.ts';
import { isChargeable } from './currencies.ts';

/** The result of a payment on Stripe's page. */
export type Outcome = 'paid' | 'declined' | 'decided later';

/** A merchant's Stripe account and its webhook. */
export interface StripeAccount extends Account {
  webhookSecret: string;
  /** The account of the service that receives its webhooks. */
  readonly tenant: string;
}

/** Sends a webhook to the region once. Returns the status; undefined without a response. */
export type Notify = (tenant: string, body: string, signature: string) => Promise<number | undefined>;

const minute = 60_000;
const hour = 60 * minute;
const keysLifeMs = 24 * hour;
/** Delays between the first tries of a failed webhook, and then between all others. */
const pauses = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour];
const longestPause = 10 * hour;
/** The time for which Stripe repeats a webhook. */
const retriesLastMs = 72 * hour;
const card = { type: 'card', card: { brand: 'visa', last4: '4242', wallet: null } };

/** Returns Stripe's fee in the currency's smallest unit. */
export const feeOf = ({ amount_total }: Pick<HostedSession, 'amount_total'>): number => 30 + Math.round(amount_total * 0.029);

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
 * Stripe, its shoppers' banks and its webhooks. Webhooks arrive late, twice and in any order until they
 * succeed. Of two that say the same, one may be lost.
 */
export class StripeModel {
  readonly books: StripeBooks;
  /** Number of webhooks and decisions that are not made yet. */
  waiting = 0;
  /** Sessions of the service: the process that creates their next page dies before it gets the response. */
  readonly doomed = new Set<string>();
  readonly #world: World;
  readonly #notify: Notify;
  readonly #accounts: StripeAccount[] = [];
  readonly #moneyBack: Random;

  constructor(world: World, notify: Notify) {
    const { scheduler } = world;
    this.#world = world;
    this.#notify = notify;
    this.#moneyBack = scheduler.stream('money back');
    this.books = new StripeBooks({
      now: () => scheduler.now(),
      refundStatus: () => this.#moneyBack.weighted({ succeeded: 7, pending: 2, failed: 1 }),
      opened: (session) => scheduler.after(session.expires_at * 1000 - scheduler.now(), () => this.books.end(session)),
      ended: (session) => this.#announce(session, 'expired'),
      refunded: (refund) => this.#follow(refund),
    });
  }

  /** Returns the paid sessions of the service's account. */
  paidTo(tenant: string): readonly HostedSession[] {
    const own = new Set(this.#accounts.filter((account) => account.tenant === tenant).map(({ id }) => id));
    return [...this.books.sessions.values()].filter(({ account, payment_status }) => own.has(account) && payment_status === 'paid');
  }

  #secret(name: string): string {
    return Buffer.from(this.#world.scheduler.stream(`stripe ${name}`).bytes(18)).toString('base64url');
  }

  openAccount(tenant: string): StripeAccount {
    const id = `stripe-${this.#accounts.length + 1}`;
    const account = { id, tenant, secretKey: `sk_${this.#secret(id)}`, webhookSecret: `whsec_${this.#secret(`${id} hook`)}`, retired: [] };
    this.#accounts.push(account);
    this.books.accounts.push(account);
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
                const { Authorization, 'Idempotency-Key': idempotencyKey } = headers as Record<string, string | undefined>;
                const secretKey = Authorization?.replace('Bearer ', '');
                const reply = this.books.reply({ method, url: path, secretKey, idempotencyKey, body: form });
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

  /** Ends an open page before its time, as the merchant can in Stripe's dashboard. */
  endPage(url: string): void {
    const session = this.#at(url);
    if (session) this.books.end(session);
  }

  #at(url: string): HostedSession | undefined {
    return this.books.sessions.get(url.slice(url.lastIndexOf('/') + 1));
  }

  /** Charges the card once. It is charged at once, so its fee is known. */
  #take(session: HostedSession): void {
    this.books.take(session, { fee: feeOf(session), currency: session.currency, exchange_rate: null }, card);
    this.#world.scheduler.note('stripe', `takes the money of ${session.id} for ${short(session.client_reference_id)}`);
  }

  /** Runs work later. The scenario does not end before. */
  #wait(ms: number, work: () => void): void {
    this.waiting += 1;
    this.#world.scheduler.after(ms, () => {
      this.waiting -= 1;
      work();
    });
  }

  /** Pays on Stripe's page. Returns false if the session no longer accepts payments. */
  pay(url: string, outcome: Outcome, random: Random): boolean {
    const session = this.#at(url);
    if (session?.status !== 'open') return false;
    if (outcome === 'declined') return true;
    this.books.close(session, 'complete');
    if (outcome === 'paid') this.#take(session);
    this.#announce(session, 'completed');
    if (outcome === 'decided later') {
      const succeeds = random.chance(0.6);
      this.#wait(random.below(2 * hour), () => {
        if (succeeds) this.#take(session);
        this.#announce(session, succeeds ? 'async_payment_succeeded' : 'async_payment_failed');
      });
    }
    return true;
  }

  /** Makes a refund in Stripe's dashboard; undefined if Stripe rejects it. */
  refund(payment: string, amount: number): StripeRefund | undefined {
    const { currency = '' } = this.books.sessionOf(payment) ?? {};
    const isMade = isChargeable(amount, currency) && amount <= this.books.remaining(payment);
    return isMade ? this.books.refund(payment, amount) : undefined;
  }

  /** Reports a new refund. The bank may decide later, or against it. */
  #follow(refund: StripeRefund): void {
    const { amount, payment_intent, status } = refund;
    this.#world.scheduler.note('stripe', `gives back ${amount} of ${payment_intent}: ${status}`);
    this.#report(refund, status === 'succeeded' ? ['refund.created', 'charge.refunded'] : ['refund.created', 'refund.updated']);
    const mayChange = status === 'pending' || (status === 'succeeded' && this.#moneyBack.chance(0.1));
    if (mayChange) this.#wait(this.#moneyBack.below(2 * hour), () => this.#decide(refund));
  }

  #decide(refund: StripeRefund): void {
    refund.status = refund.status === 'pending' && this.#moneyBack.chance(0.6) ? 'succeeded' : 'failed';
    this.#report(refund, refund.status === 'succeeded' ? ['refund.updated', 'charge.refunded'] : ['refund.failed', 'refund.updated']);
  }

  /** Opens a dispute, or an inquiry that may become one, and lets the bank decide later. */
  dispute(session: HostedSession): void {
    const random = this.#moneyBack;
    const status = random.chance(0.3) ? 'warning_needs_response' : 'needs_response';
    const dispute = this.books.dispute(paymentOf(session), `dp_${this.books.disputes.size + 1}`, status);
    this.#report(dispute, ['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    const steps = random.pick([['needs_response'], ['under_review', 'won'], ['lost'], ['under_review', 'lost'], []] as const);
    let ms = 0;
    for (const step of steps) {
      ms += random.below(3 * hour);
      this.#wait(ms, () => {
        dispute.status = step;
        const end = step === 'won' || step === 'lost' ? 'closed' : 'funds_withdrawn';
        this.#report(dispute, ['charge.dispute.updated', `charge.dispute.${end}`]);
      });
    }
  }

  /** Sends the notices of a change. Each says enough alone, so one of them may be lost. */
  #report(of: StripeRefund | StripeDispute, types: readonly string[]): void {
    const lost = this.#moneyBack.chance(0.3) && types.length > 1 ? this.#moneyBack.below(types.length) : undefined;
    for (const [i, type] of types.entries()) {
      if (i === lost) continue;
      const object = type === 'charge.refunded' ? { id: of.charge, object: 'charge' } : of;
      this.#tell(this.books.sessionOf(of.payment_intent), `${type} of ${of.id} ${of.status}`, type, object);
    }
  }

  /** Sends the webhook of a session's result. */
  #announce(session: HostedSession, type: string): void {
    this.#tell(session, `${type} of ${session.id}`, `checkout.session.${type}`, shown(session));
  }

  /** Sends a webhook until it succeeds, sometimes twice. A late one contains an outdated state. */
  #tell(session: HostedSession | undefined, name: string, type: string, object: object): void {
    const account = this.#accounts.find(({ id }) => id === session?.account) as StripeAccount;
    const { scheduler, faults } = this.#world;
    const random = scheduler.stream(name);
    const created = Math.floor(scheduler.now() / 1000);
    const body = JSON.stringify({ id: `evt_${name}`, object: 'event', type, created, data: { object } });
    const copies = faults.befalls('notice twice', name, faults.level.repeats, random) ? 2 : 1;
    for (let copy = 0; copy < copies; copy++) {
      const isLate = faults.befalls('notice late', `${name} ${copy}`, faults.level.repeats, random);
      this.waiting += 1;
      // Half of the webhooks arrive while the shopper returns to the shop.
      scheduler.after(random.below(isLate ? hour : random.chance(0.5) ? 60 : 3_000), () => void this.#send(account, name, body, random));
    }
  }

  async #send(account: StripeAccount, name: string, body: string, random: Random): Promise<void> {
    const { scheduler } = this.#world;
    const untilMs = scheduler.now() + retriesLastMs;
    for (let tries = 0; scheduler.now() < untilMs; tries++) {
      const signature = signatureOf(body, account.webhookSecret, scheduler.now());
      const status = await this.#notify(account.tenant, body, signature);
      scheduler.note('stripe', `sends ${name}: ${status ?? 'no response'}`);
      if (status !== undefined && status < 300) break;
      await scheduler.sleep((pauses[tries] ?? longestPause) + random.below(minute));
    }
    this.waiting -= 1;
  }
}
