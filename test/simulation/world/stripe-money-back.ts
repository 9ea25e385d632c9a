import type { World } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import { isChargeable } from './currencies.ts';
import { errorReply, type Hosted, type Reply } from './stripe-replies.ts';

/** A refund as Stripe stores it. */
export interface StripeRefund {
  readonly id: string;
  /** The Stripe account that took the payment. */
  readonly account: string;
  readonly payment_intent: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  readonly currency: string;
  readonly metadata: { readonly bakery_refund?: string; readonly bakery_payment?: string };
  readonly created: number;
  status: 'pending' | 'succeeded' | 'failed';
}

/** A dispute as Stripe stores it. */
export interface StripeDispute {
  readonly id: string;
  readonly account: string;
  readonly payment_intent: string;
  status: 'warning_needs_response' | 'needs_response' | 'under_review' | 'won' | 'lost';
}

interface StripeRequest {
  readonly account: string;
  readonly form: string;
  readonly idempotencyKey: string;
}

/** The parts of the model that the books of Stripe share. */
interface Stripe {
  readonly hosted: ReadonlyMap<string, Hosted>;
  tenantOf(account: string): string;
  tell(account: string, name: string, type: string, object: object): void;
  /** Runs work later. The scenario does not end before. */
  wait(ms: number, work: () => void): void;
}

const hour = 3_600_000;
const keysLifeMs = 24 * hour;
export const paymentOf = ({ id }: Hosted): string => `pi_${id}`;
const chargeOf = (payment: string): string => payment.replace('pi_', 'ch_');

/** A model of Stripe's refunds and disputes. Of two notices that say the same, one may be lost. */
export class StripeMoneyBack {
  readonly refunds: StripeRefund[] = [];
  readonly disputes: StripeDispute[] = [];
  readonly #world: World;
  readonly #stripe: Stripe;
  readonly #byKey = new Map<string, { readonly refund: StripeRefund; readonly untilMs: number }>();
  readonly #random: Random;

  constructor(world: World, stripe: Stripe) {
    this.#world = world;
    this.#stripe = stripe;
    this.#random = world.scheduler.stream('money back');
  }

  #hosted(payment: string): Hosted | undefined {
    return this.#stripe.hosted.get(payment.replace('pi_', ''));
  }

  /** Returns the amount that was taken and not given back, in the smallest unit. */
  remaining(payment: string): number {
    const refunded = this.refunds.filter((one) => one.payment_intent === payment && one.status !== 'failed');
    return (this.#hosted(payment)?.amount_total ?? 0) - refunded.reduce((sum, { amount }) => sum + amount, 0);
  }

  #shown<Resource extends StripeRefund | StripeDispute>({ account: _, ...resource }: Resource): object {
    return { metadata: {}, ...resource, charge: chargeOf(resource.payment_intent) };
  }

  /** Sends the notices of a change. Each says enough alone, so one of them may be lost. */
  #report(of: StripeRefund | StripeDispute, types: readonly string[]): void {
    const lost = this.#random.chance(0.3) && types.length > 1 ? this.#random.below(types.length) : undefined;
    for (const [i, type] of types.entries()) {
      if (i === lost) continue;
      const object = type === 'charge.refunded' ? { id: chargeOf(of.payment_intent), object: 'charge' } : this.#shown(of);
      this.#stripe.tell(of.account, `${type} of ${of.id} ${of.status}`, type, object);
    }
  }

  /** Makes a refund. The bank may decide later, or against it. */
  refund(payment: string, amount: number, metadata: StripeRefund['metadata'] = {}): StripeRefund | undefined {
    const hosted = this.#hosted(payment);
    if (!hosted || !isChargeable(amount, hosted.currency) || amount > this.remaining(payment)) return undefined;
    const { account, currency } = hosted;
    const status = this.#random.weighted({ succeeded: 7, pending: 2, failed: 1 });
    const created = Math.floor(this.#world.scheduler.now() / 1000);
    const refund: StripeRefund = {
      id: `re_${this.refunds.length + 1}`,
      account,
      payment_intent: payment,
      amount,
      currency,
      metadata,
      created,
      status,
    };
    this.refunds.push(refund);
    this.#world.scheduler.note('stripe', `gives back ${amount} of ${payment}: ${status}`);
    this.#report(refund, status === 'succeeded' ? ['refund.created', 'charge.refunded'] : ['refund.created', 'refund.updated']);
    const mayChange = status === 'pending' || (status === 'succeeded' && this.#random.chance(0.1));
    if (mayChange) this.#stripe.wait(this.#random.below(2 * hour), () => this.#decide(refund));
    return refund;
  }

  #decide(refund: StripeRefund): void {
    refund.status = refund.status === 'pending' && this.#random.chance(0.6) ? 'succeeded' : 'failed';
    this.#report(refund, refund.status === 'succeeded' ? ['refund.updated', 'charge.refunded'] : ['refund.failed', 'refund.updated']);
  }

  /** Opens a dispute, or an inquiry that may become one, and lets the bank decide later. */
  dispute(hosted: Hosted): void {
    const status = this.#random.chance(0.3) ? 'warning_needs_response' : 'needs_response';
    const dispute: StripeDispute = {
      id: `dp_${this.disputes.length + 1}`,
      account: hosted.account,
      payment_intent: paymentOf(hosted),
      status,
    };
    this.disputes.push(dispute);
    this.#report(dispute, ['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
    const steps = this.#random.pick([['needs_response'], ['under_review', 'won'], ['lost'], ['under_review', 'lost'], []] as const);
    let ms = 0;
    for (const step of steps) {
      ms += this.#random.below(3 * hour);
      this.#stripe.wait(ms, () => {
        dispute.status = step;
        this.#report(dispute, [
          'charge.dispute.updated',
          `charge.dispute.${step === 'won' || step === 'lost' ? 'closed' : 'funds_withdrawn'}`,
        ]);
      });
    }
  }

  #create({ account, form, idempotencyKey }: StripeRequest): Reply {
    const now = this.#world.scheduler.now();
    const known = this.#byKey.get(`${account} ${idempotencyKey}`);
    if (known && known.untilMs > now) return { status: 200, body: this.#shown(known.refund) };
    const fields = new URLSearchParams(form);
    const payment = fields.get('payment_intent') ?? '';
    if (this.#hosted(payment)?.account !== account)
      return errorReply(404, { type: 'invalid_request_error', message: 'No such payment_intent' });
    const refund = this.refund(payment, Number(fields.get('amount')), {
      bakery_refund: fields.get('metadata[bakery_refund]') ?? '',
      bakery_payment: fields.get('metadata[bakery_payment]') ?? '',
    });
    if (!refund) return errorReply(400, { type: 'invalid_request_error', message: 'The amount is greater than what is left.' });
    this.#byKey.set(`${account} ${idempotencyKey}`, { refund, untilMs: now + keysLifeMs });
    return { status: 200, body: this.#shown(refund) };
  }

  /** Returns the answer to a request about refunds, disputes and payments; undefined for another path. */
  replyTo(method: string, path: string, query: string, request: StripeRequest): Reply | undefined {
    const [, kind = '', id = ''] = /^\/v1\/(refunds|disputes|payment_intents)(?:\/(\w+))?$/.exec(path) ?? [];
    if (kind === '') return undefined;
    if (kind === 'refunds' && method === 'POST') return this.#create(request);
    if (kind === 'payment_intents') {
      const { account, currency } = this.#hosted(id) ?? {};
      if (account !== request.account) return errorReply(404, { type: 'invalid_request_error', message: 'No such payment_intent' });
      return {
        status: 200,
        body: {
          id,
          currency,
          metadata: { account: this.#stripe.tenantOf(request.account), session: this.#hosted(id)?.client_reference_id },
        },
      };
    }
    const own = (kind === 'refunds' ? this.refunds : this.disputes).filter(({ account }) => account === request.account);
    if (id === '') {
      const of = new URLSearchParams(query);
      const data = own.filter(({ payment_intent: payment }) =>
        [payment, chargeOf(payment)].includes(of.get('payment_intent') ?? of.get('charge') ?? ''),
      );
      return { status: 200, body: { object: 'list', data: data.map((one) => this.#shown(one)).reverse(), has_more: false, url: path } };
    }
    const found = own.find((one) => one.id === id);
    return found
      ? { status: 200, body: this.#shown(found) }
      : errorReply(404, { type: 'invalid_request_error', message: `No such ${kind}` });
  }
}
