import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import type { Customer } from '../../shared/domain/customer/fields.ts';
import { erasureTables } from '../../shared/domain/erased-fields.ts';
import type { Order } from '../../shared/domain/order/fields.ts';
import type { Payment } from '../../shared/domain/payment/fields.ts';
import { type ErasureTable, retained } from '../../shared/domain/record-fields.ts';
import { survivors } from '../contract/specification.ts';
import { details, person, tracesIn } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { type Bakery, openBakery, startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let bakery: Bakery;
let session: string;
const name = `${person.first_name} ${person.last_name}`;

const everyField = {
  customer: { is_blacklisted: true, marketing_email: true, marketing_sms: true },
  order: { order_type: `Order of ${name}`, payment_method: `Voucher of ${name}`, event_category: `Birthday of ${name}` },
  session: {
    customer: person,
    delivery_type: 'dispatch',
    delivery_address: details.address,
    notes: details.notes,
    external_id: details.external_id,
    metadata: details.metadata,
    custom_fields: { engraving: 'Zerlinde' },
    success_url: 'https://shop.example.com/thanks?for=zerlinde',
    cancel_url: 'https://shop.example.com/cart#zerlinde',
  },
};

/** The customer's four records as they are stored. */
const records = async (): Promise<Readonly<Record<keyof typeof survivors, Readonly<Record<string, unknown>>>>> => {
  const { store } = service.world;
  const { account, orders } = bakery;
  const found = {
    customer: (await store.customers.get(account, bakery.customer))?.record,
    order: (await store.orders.get(account, orders.api))?.record,
    payment: (await store.payments.ofOrder(account, orders.api))[0],
    checkoutSession: (await store.checkoutSessions.get(account, session))?.record,
  };
  return JSON.parse(JSON.stringify(found));
};

beforeAll(async () => {
  bakery = await openBakery(service);
  await service.act('customer.update', bakery.account, { id: bakery.customer, ...everyField.customer });
  await service.act('order.update', bakery.account, { id: bakery.orders.api, ...everyField.order });
  const opened = await bakery.shop.open(everyField.session);
  if (opened.status !== 201) throw new Error(opened.text);
  session = opened.body.id;
});

const carriesPerson = (value: unknown): boolean => value === true || tracesIn([{ key: '', item: { value } }]).length > 0;

test('customer.erase replaces every field that can contain personal data, and keeps all others', async () => {
  const before = await records();
  service.world.clock.advance(1_000);
  expect(await service.act('customer.erase', bakery.account, { id: bakery.customer })).toMatchObject({ erased: true });
  const after = await records();
  for (const [kind, survivingFields] of Object.entries(survivors) as [keyof typeof survivors, readonly string[]][]) {
    const [survivor, personal] = [true, false].map((survives) =>
      Object.keys(before[kind]).filter((of) => survivingFields.includes(of) === survives),
    );
    const unmarked = personal?.filter((field) => !carriesPerson(before[kind][field]));
    expect({ kind, unmarked }).toEqual({ kind, unmarked: [] });
    const remaining = personal?.filter((field) => carriesPerson(after[kind][field]));
    expect({ kind, remaining }).toEqual({ kind, remaining: [] });
    const changed = survivor?.filter((field) => !isDeepStrictEqual(before[kind][field], after[kind][field]));
    const expected = { customer: ['updated_at'], order: ['updated_at'], payment: [], checkoutSession: ['expires_ms'] }[kind];
    expect({ kind, changed }).toEqual({ kind, changed: expected });
  }
  const lines = (before.order['items'] as Order['items']).map((line) => ({ ...line, name: 'Cake for [erased]', notes: null }));
  expect(after.order['items']).toEqual(lines);
});

test("an erasure's table that omits a field of its record does not compile", () => {
  interface Undecided {
    readonly undecided: string | null;
  }
  // @ts-expect-error: `undecided` is neither kept nor replaced.
  erasureTables.customer satisfies ErasureTable<Customer & Undecided>;
  // @ts-expect-error: `undecided` is neither kept nor replaced in an order.
  erasureTables.order satisfies ErasureTable<Order & Undecided, readonly unknown[]>;
  // @ts-expect-error: the same for a payment.
  erasureTables.payment satisfies ErasureTable<Payment & Undecided>;
  // @ts-expect-error: the same for a session.
  erasureTables.session satisfies ErasureTable<CheckoutSession & Undecided, never>;
  // @ts-expect-error: an optional field needs a decision too.
  erasureTables.customer satisfies ErasureTable<Customer & Partial<Undecided>>;
  // @ts-expect-error: an object cannot be kept as a whole, because its fields are decided one by one.
  const keptObject = { address: retained } satisfies ErasureTable<{ readonly address: { readonly city: string } }>;
  for (const table of Object.values(erasureTables)) expect(Object.keys({ ...table, ...keptObject })).not.toContain('undecided');
});
