import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openShop, type Shop, thursday } from '../checkout/shop.ts';
import { sampleProduct } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, declineCard, openCounter, origin, pendingCard, successUrl, visitor } from './page.ts';

const world = shared(startWorld);

/** Four bytes of UTF-8, which limits count as one character. */
const cake = '🍰';
const longest = (characters: number): string => cake.repeat(characters);
const longestForm = {
  first_name: longest(255),
  last_name: longest(255),
  email: `${'é'.repeat(60)}@${Array.from({ length: 3 }, () => 'é'.repeat(60)).join('.')}.example`,
  phone: longest(255),
  // The longest that joins to 20,000 characters, with a line break, a comma and two spaces.
  delivery_address: longest(20_000 - 255 - 255 - 2 - 4),
  address_city: longest(255),
  address_state: 'NY',
  address_postcode: longest(255),
};

/** Products with names long enough to fill a cart although the caller's body is small. */
const openLargeShop = async (): Promise<Shop> => {
  const shop = await openShop(world);
  const variants = [{ id: 'v', name: longest(255), price: 1 }];
  const product = sampleProduct(world.clock.now(), { id: 'prd_large', name: longest(255), price: 1, variants });
  await world.store.commit([world.store.products.createWrite(shop.account.id, product)]);
  return shop;
};

interface Shape {
  readonly lines: number;
  /** The cart's customer fields; the page asks for the others. */
  readonly customer: Record<string, string> | null;
  readonly delivery_type: 'pickup' | 'dispatch';
  readonly isAscii: boolean;
}

const shapes: fc.Arbitrary<Shape> = fc.record({
  lines: fc.integer({ min: 60, max: 100 }),
  customer: fc.constantFrom(null, { phone: '1' }, { email: 'ada@example.com' }, { last_name: 'Baker', email: 'ada@example.com' }),
  delivery_type: fc.constantFrom('pickup', 'dispatch'),
  isAscii: fc.boolean(),
});

/** Returns a cart with this many characters of free text in all. */
const cartOf = ({ lines, customer, delivery_type, isAscii }: Shape, characters: number) => {
  const text = (length: number): string => (isAscii ? 'x' : 'é').repeat(length);
  const notes = Math.min(characters, 20_000);
  const remaining = characters - notes;
  const sizes = Array.from({ length: 50 }, (_, i) => Math.max(0, Math.min(500, remaining - i * 500)));
  return {
    items: Array.from({ length: lines }, () => ({ product_id: 'prd_large', variant_id: 'v', quantity: 1 })),
    customer,
    delivery_type,
    delivery_date: thursday,
    ...(delivery_type === 'pickup' ? { delivery_time: '08:00' } : {}),
    notes: text(notes),
    metadata: Object.fromEntries(sizes.map((size, i) => [`${i}${text(250)}`, text(size)])),
  };
};
const mostCharacters = 45_000;

/** Returns the largest accepted number of characters, and the response to one more. */
const boundaryOf = async (shop: Shop, shape: Shape) => {
  const send = async (characters: number) => {
    // Keeps the rate limits from interfering.
    world.clock.advance(1_000);
    return shop.open(cartOf(shape, characters));
  };
  let [accepted, rejected] = [0, mostCharacters + 1];
  while (rejected - accepted > 1) {
    const middle = Math.floor((accepted + rejected) / 2);
    const { status } = await send(middle);
    expect([201, 400]).toContain(status);
    [accepted, rejected] = status === 201 ? [middle, rejected] : [accepted, middle];
  }
  return { characters: accepted, beyond: rejected > mostCharacters ? undefined : await send(rejected) };
};

test('POST /checkout rejects a cart that could become too large later, and every accepted cart becomes an order', async () => {
  const shop = await openLargeShop();
  // The customer's record names the order. It has longer names than the session.
  const known = { email: 'ada@example.com', first_name: longest(255), last_name: longest(255), phone: longest(255) };
  await world.request('POST', '/customers', { key: shop.secretKey, body: known });
  let bounded = 0;
  await fc.assert(
    fc.asyncProperty(shapes, fc.constantFrom(approveCard, pendingCard), async (shape, card) => {
      const { characters, beyond } = await boundaryOf(shop, shape);
      if (beyond) {
        bounded++;
        expect(beyond).toMatchObject({ status: 400, body: { error: { code: 'invalid_value' } } });
      }
      const counter = await openCounter(world, { shop, fields: cartOf(shape, characters) });
      expect((await counter.pay(declineCard, longestForm)).headers['Location']).toBe(`${origin}${counter.path}`);
      await counter.pay(card, longestForm);
      const paid = card === pendingCard ? await counter.decide('approve') : undefined;
      expect(paid?.headers['Location'] ?? successUrl).toBe(successUrl);
      const { status, order_id } = await counter.session();
      expect(status).toBe('paid');
      const { body: order } = await world.request('GET', `/orders/${order_id}`, { key: shop.secretKey });
      expect(order).toMatchObject({ payment_status: 'paid', notes: cartOf(shape, characters).notes });
      expect(order.items).toHaveLength(shape.lines);
      expect(order.payments).toHaveLength(1);
    }),
    { numRuns: 5, examples: [[{ lines: 100, customer: null, delivery_type: 'dispatch', isAscii: false }, approveCard]] },
  );
  expect(bounded).toBeGreaterThan(0);
});

test.each(['', 'x'.repeat(1_033), '🍰'.repeat(400), 'cs_#', 'cs_1\u0000', undefined])(
  'a notice of the sandbox for an impossible session changes nothing and returns no 5xx (%#)',
  async (session) => {
    const { account } = await openShop(world);
    const form = { token: 't', transaction_id: 't', answer: 'approve', ...(session === undefined ? {} : { session }) };
    const { status } = await visitor(world)('POST', `/checkout/${account.id}/notices/sandbox`, { form });
    expect(status).toBe(200);
  },
);
