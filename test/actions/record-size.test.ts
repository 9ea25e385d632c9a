import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openShop, type Shop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { type Service, startBakeries } from './bakery.ts';

const service = shared(startBakeries);

type Changes = Readonly<Record<string, unknown>>;

/** A record that actions enlarge, and all later writes to it. */
interface Path {
  readonly update: string;
  make(shop: Shop): Promise<string>;
  /** Returns a valid change with this many characters of text in all. */
  grown(characters: number, text: (length: number) => string): Changes;
  readonly most: number;
  afterwards(id: string, account: string): Promise<unknown>;
}

/** Returns texts of at most `most` characters with this total. */
const split = (characters: number, most: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Math.max(0, Math.min(most, characters - i * most)));

const textsByKey = (sizes: readonly number[], text: (length: number) => string) =>
  Object.fromEntries(sizes.map((size, i) => [`${i}${text(245)}`, text(size)]));

const create = async (path: string, { secretKey: key }: Shop, body: Changes): Promise<string> =>
  (await service.world.request('POST', path, { key, body })).body.id;

const paths: readonly Path[] = [
  {
    update: 'order.update',
    make: async (shop) => {
      const customer = await create('/customers', shop, { first_name: 'Ada', last_name: 'Baker', email: `${randomUUID()}@example.com` });
      return create('/orders', shop, {
        customer: { id: customer },
        status: 'draft',
        items: [{ name: 'Cake for Ada Baker', quantity: 1, unit_price: 40 }],
      });
    },
    most: 450_000,
    grown: (characters, text) => ({
      items: split(characters, 20_000, 100).map((size) => ({ name: 'Cake', quantity: 1, unit_price: 40, notes: text(size) })),
    }),
    async afterwards(id, account) {
      const { act, world } = service;
      const status = (name: string) => act('order.set_status', account, { id, status: name });
      await status('payment_pending_verification');
      await status('confirmed');
      await act('order.update', account, { id, payment_status: 'partial_payment', delivery_fee: 999_999_999 });
      const { id: payment } = await act('payment.create', account, { order_id: id, amount: 5, description: '🍰'.repeat(20_000) });
      await act('payment.refund', account, { id: payment, amount: 5 });
      const order = (await world.store.orders.get(account, id))?.record;
      await act('customer.erase', account, { id: order?.customer_id });
      await act('order.delete', account, { id });
    },
  },
  {
    update: 'customer.update',
    make: (shop) => create('/customers', shop, { email: `${randomUUID()}@example.com` }),
    most: 20_000 + 50 * 1_000,
    grown: (characters, text) => ({
      notes: text(Math.min(characters, 20_000)),
      address: textsByKey(split(characters - 20_000, 500, 50), text),
      metadata: textsByKey(split(characters - 45_000, 500, 50), text),
      tags: Array.from({ length: 50 }, () => text(64)),
      first_name: text(255),
      last_name: text(255),
      phone: text(255),
      company: text(255),
      external_id: text(255),
    }),
    async afterwards(id, account) {
      const { act } = service;
      await act('payment.create', account, { customer_id: id, amount: 5 });
      await act('customer.update', account, { id, is_blacklisted: true, marketing_email: false, marketing_sms: true });
      await act('customer.erase', account, { id });
    },
  },
  {
    update: 'product.update',
    make: async ({ account: { id } }) => (await service.act('product.create', id, { name: 'Cake', price: 1 }))['id'],
    most: 100 * 255 * 2 + 20_000,
    grown: (characters, text) => ({
      description: text(Math.min(characters, 20_000)),
      variants: split(characters - 20_000, 510, 100).map((size, i) => ({
        id: `${i}${text(Math.max(0, Math.min(250, size)))}`,
        name: `n${text(Math.max(0, Math.min(254, size - 250)))}`,
        price: 1,
      })),
      images: Array.from({ length: 50 }, () => `https://shop.example.com/${'x'.repeat(2_000)}`),
      allergens: Array.from({ length: 50 }, () => ({ name: text(255), level: 'may_contain' })),
    }),
    async afterwards(id, account) {
      const { act } = service;
      await act('product.update', account, { id, storefront_visible: false, status: 'archived', price: 999_999_999 });
      await act('product.delete', account, { id });
    },
  },
];

/**
 * Texts of one character, and random ones, which stay long when the action's result is deflated.
 */
const texts = fc.constantFrom('x', 'é', '\u0001', '🍰', 'random').map((what) => (length: number): string => {
  if (what !== 'random') return what.repeat(Math.max(0, length));
  // Printable ASCII above `<`, which opens a tag.
  const codes = randomBytes(Math.max(0, length)).map((byte) => 61 + (byte % 66));
  return String.fromCharCode(...codes);
});

/** Bytes of the largest item of DynamoDB. */
const itemBytes = 400 * 1024;

/** The bytes that a rejection names as too many. They make the search short, and are not judged. */
const excess = ({ error }: { readonly error: Readonly<Record<string, unknown>> }): number => {
  const [bytes = 0, most = 0] = (/needs (\d+) .* at most (\d+)/.exec(String(error['message'])) ?? []).slice(1).map(Number);
  return bytes - most;
};

/** Sends sizes until one is accepted and the next one rejected. Returns the rejected one. */
const firstRejected = async (most: number, width: number, send: (characters: number) => ReturnType<Service['call']>): Promise<number> => {
  let [accepted, rejected] = [0, most + 1];
  let next = Math.min(most, Math.floor(itemBytes / width));
  for (let step = 1; rejected - accepted > 1; step *= 2) {
    const response = await send(next);
    if (!response.ok) expect(response).toMatchObject({ status: 400, body: { error: { code: 'invalid_value' } } });
    [accepted, rejected] = response.ok ? [next, rejected] : [accepted, next];
    const near = next + (response.ok ? step : -Math.ceil(excess(response.body) / width));
    next = accepted < near && near < rejected ? near : Math.floor((accepted + rejected) / 2);
  }
  return rejected;
};

describe.each(paths)('$update', ({ update, make, grown, most, afterwards }) => {
  test(`${update} rejects a change that makes the record too large, and all later writes of an accepted record fit`, async () => {
    const shop = await openShop(service.world);
    const { id: account } = shop.account;
    let bounded = 0;
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const id = await make(shop);
        const send = (characters: number) => service.call(update, account, { id, ...grown(characters, text) });
        if ((await firstRejected(most, Buffer.byteLength(text(1)), send)) <= most) bounded++;
        // The table holds the last accepted change.
        await afterwards(id, account);
        await service.pipeline.drain();
      }),
      { numRuns: 2, examples: [[(length) => '🍰'.repeat(Math.max(0, length))]] },
    );
    expect(bounded).toBeGreaterThan(0);
  });
});
