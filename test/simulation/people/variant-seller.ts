import type { Random } from '../scheduler/random.ts';
import { act } from './dashboard.ts';
import { attempt, insist } from './integrator.ts';
import { type Intent, madeBy } from './journal.ts';
import { atWork, type Stage } from './person.ts';
import { nextMonth, shopperOf, thanks } from './shopper.ts';

interface Variant {
  readonly id: string;
  readonly name: string;
  readonly price: number;
}

/**
 * A seller of a product with variants, whose own price is not for sale, and shoppers and programs that
 * buy a variant of it or forget to choose one. The seller changes the variants while carts are open.
 */
export const sellVariants = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { account, currency, key, shop } = tenant;
  const { scheduler } = region.world;
  const name = `variants-${number}`;
  const { browse } = shopperOf(stage, `${name}-shopper`);
  let product: string | undefined;
  /** The seller's last choice. Another may be stored while its response is lost. */
  let variants: readonly Variant[] = [];

  const choose = (random: Random): readonly Variant[] => {
    const sizes = ['small', 'large', ...(random.chance(0.4) ? ['huge'] : [])];
    return sizes.map((size) => ({ id: size, name: size, price: 1 + random.below(40) }));
  };
  /** Creates the product at first, and later gives it other variants. */
  const offer = async (token: string, random: Random): Promise<void> => {
    variants = choose(random);
    const input = product === undefined ? { name: `Sized cake ${token}`, price: 0, currency, variants } : { id: product, variants };
    const call = { action: product === undefined ? 'product.create' : 'product.update', account, input, token };
    const response = await act(region, name, call, random);
    if (response?.ok) product = (response.result as { readonly id: string }).id;
  };

  const lineOf = (random: Random): object => ({
    product_id: product,
    quantity: 1 + random.below(2),
    ...(random.chance(0.3) ? {} : { variant_id: random.pick(variants).id }),
  });
  const intend = (kind: 'session' | 'order', marker: string, random: Random): Intent => {
    const times = { delivery_type: 'dispatch', delivery_date: nextMonth(scheduler.now()) };
    const urls = { success_url: thanks, cancel_url: 'https://shop.example.com/' };
    const items = [lineOf(random), ...(random.chance(0.3) ? [lineOf(random)] : [])];
    const body = { items, notes: marker, ...(kind === 'session' ? { ...times, ...urls } : { currency }) };
    const intent: Intent = { kind, account, marker, idempotencyKey: `key-${marker}`, body, tries: [] };
    journal.intents.push(intent);
    return intent;
  };
  const buy = async (marker: string, random: Random): Promise<void> => {
    const intent = intend('session', marker, random);
    // Each type of key has Idempotency-Keys of its own.
    await insist(stage, name, intent, random, [random.pick([shop.publicKey, key])]);
    const session = intent.tries.map(madeBy).find((id) => id !== undefined);
    if (session === undefined) return;
    await scheduler.sleep(random.below(random.chance(0.3) ? 600_000 : 30_000));
    await browse({ session, page: `/checkout/${account}/${session}`, details: undefined, random, known: [] });
  };
  const order = async (marker: string, random: Random): Promise<void> => void (await attempt(stage, name, intend('order', marker, random)));

  await atWork(stage, {
    name,
    actions: 2 + scheduler.stream(name).below(6),
    pauseMs: (random) => random.below(random.chance(0.2) ? 900_000 : 20_000),
    async act(random, action) {
      const marker = `${name}-${action}`;
      if (product === undefined) return offer(marker, random);
      const what = random.weighted({ buy: 4, order: 3, offer: 2 });
      if (what === 'order') return order(marker, random);
      if (what === 'offer') return offer(marker, random);
      await Promise.all([
        buy(marker, random),
        ...(random.chance(0.4) ? [offer(`${marker}-beside`, scheduler.stream(`${marker} beside`))] : []),
      ]);
    },
  });
};
