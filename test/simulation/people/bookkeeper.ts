import type { ActionResponse } from '../../../functions/actions/app.ts';
import type { Random } from '../scheduler/random.ts';
import { act as call } from './dashboard.ts';
import { atWork, type Stage } from './person.ts';
import { settingsOf } from './storefront.ts';

type Done = Extract<ActionResponse, { readonly ok: true }>['result'];

const oftenWeights = {
  pay: 4,
  refund: 4,
  refundTwice: 2,
  correct: 1,
  setPayment: 1,
  cancel: 3,
  remove: 1,
  reprice: 2,
  stock: 4,
  rename: 1,
};
/** Actions that affect the work of all other people. */
const seldomWeights = { limit: 3, currency: 2, gateway: 3, plan: 1 };

/**
 * The bookkeeper at the dashboard: records and refunds payments, cancels orders, counts stock, and
 * changes currency, limit, plan and gateway.
 */
export const keepBooks = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, shop } = tenant;
  const { scheduler } = region.world;
  const name = `books-${stage.number}`;
  /** Orders by the ids of their acknowledged payments. */
  const payments = new Map<string, string | undefined>();
  /** Returns a payment that is about to change, and with it its order. */
  const payment = (random: Random): string => {
    const [id, order] = random.pick([...payments]);
    if (order !== undefined) journal.touched.add(order);
    return id;
  };

  /** Repeats until the result is known; undefined if the action failed. */
  const act = async (action: string, input: unknown, token: string, random: Random): Promise<Done | undefined> => {
    for (;;) {
      const response = await call(region, name, { action, account, input, token }, random);
      if (response) return response.ok ? response.result : undefined;
    }
  };
  /** Returns all orders of the account. */
  const orders = (): readonly string[] => region.engine.table('simulated').partition(`ord#${account}`)?.order ?? [];
  const anyOrder = (random: Random): string | undefined => (orders().length > 0 ? random.pick(orders()) : undefined);
  const update = (changes: object, token: string, random: Random) => act('account.update', { id: account, ...changes }, token, random);

  const actions: Readonly<
    Record<keyof typeof oftenWeights | keyof typeof seldomWeights, (token: string, random: Random) => Promise<unknown>>
  > = {
    async pay(token, random) {
      const order_id = anyOrder(random);
      if (order_id !== undefined) journal.touched.add(order_id);
      const input = { amount: 1 + random.below(9_000) / 100, method: 'cash', status: random.pick(['completed', 'pending']) };
      const sent = {
        ...input,
        tip_amount: random.pick([0, random.below(900) / 100]),
        fee_amount: random.pick([0, random.below(90) / 100]),
      };
      const made = await act('payment.create', { ...sent, ...(order_id === undefined ? {} : { order_id }) }, token, random);
      if (made === undefined) return;
      const { id } = made as { readonly id: string };
      payments.set(id, order_id);
      journal.payments.push({ id, amount: sent.amount, tip: sent.tip_amount, fee: sent.fee_amount });
    },
    async refund(token, random) {
      if (payments.size > 0) await act('payment.refund', { id: payment(random), amount: 0.5 + random.below(3_000) / 100 }, token, random);
    },
    async correct(token, random) {
      if (payments.size === 0) return;
      const tip = random.chance(0.5) ? { tip_amount: random.below(900) / 100 } : {};
      await act('payment.correct_amount', { id: payment(random), amount: 1 + random.below(9_000) / 100, ...tip }, token, random);
    },
    async refundTwice(token, random) {
      if (payments.size === 0) return;
      const input = { id: payment(random), amount: 5 + random.below(3_000) / 100 };
      await Promise.all(['a', 'b'].map((one) => act('payment.refund', input, `${token}${one}`, scheduler.stream(`${token}${one}`))));
    },
    async setPayment(token, random) {
      if (payments.size > 0)
        await act('payment.set_status', { id: payment(random), status: random.pick(['completed', 'voided', 'approved']) }, token, random);
    },
    async cancel(token, random) {
      const id = anyOrder(random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('order.set_status', { id, status: 'cancelled' }, token, random);
    },
    async remove(token, random) {
      const id = anyOrder(random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('order.delete', { id }, token, random);
    },
    async reprice(token, random) {
      const id = anyOrder(random);
      if (id === undefined) return;
      journal.touched.add(id);
      await act('order.update', { id, delivery_fee: random.below(2_000) / 100 }, token, random);
    },
    async rename(token, random) {
      await act('product.update', { id: random.pick(shop.products), price: 1 + random.below(5_000) / 100 }, token, random);
    },
    async stock(token, random) {
      const adjust = async (own: string, its: Random) => {
        const input = { id: its.pick(shop.inventory), delta: (its.below(200) - 120) / 10 };
        if ((await act('inventory.adjust', input, own, its)) !== undefined) journal.stocked.push(input);
      };
      await Promise.all([adjust(token, random), ...(random.chance(0.4) ? [adjust(`${token}b`, scheduler.stream(`${token}b`))] : [])]);
    },
    async limit(token, random) {
      await update({ order_limit: random.chance(0.3) ? null : orders().length + random.below(6) }, token, random);
    },
    currency: (token, random) => update({ currency: random.pick([tenant.currency, tenant.currency, 'EUR', 'JPY']) }, token, random),
    async plan(token, random) {
      const [away, back] = random.chance(0.5)
        ? [{ plan: 'starter' }, { plan: 'business' }]
        : [{ status: 'suspended' }, { status: 'active' }];
      await update(away, `${token}a`, random);
      await scheduler.sleep(random.below(30_000));
      await update(back, `${token}b`, random);
    },
    async gateway(token, random) {
      const { stripe } = region.page;
      const current = shop.stripe.at(-1);
      const next = random.weighted({ roll: current ? 2 : 0, move: 2, sandbox: 1 });
      if (next === 'roll' && current) stripe.rollKey(current);
      if (next === 'move') shop.stripe.push(stripe.openAccount(account));
      // The unmasked settings.
      const settings = await region.store.accounts.getSettings(account);
      await act('settings.put', { ...settings, ...settingsOf(next === 'sandbox' ? undefined : shop.stripe.at(-1)) }, token, random);
    },
  };

  const own = scheduler.stream(name);
  const weights = { ...oftenWeights, ...(own.chance(0.6) ? seldomWeights : {}) };
  await atWork(stage, {
    name,
    actions: own.chance(0.75) ? 4 + own.below(8) : 0,
    pauseMs: (random) => (random.chance(0.2) ? random.below(1_800_000) : random.below(20_000)),
    act: async (random, action) => void (await actions[random.weighted<keyof typeof weights>(weights)](`${name}-token-${action}`, random)),
  });
};
