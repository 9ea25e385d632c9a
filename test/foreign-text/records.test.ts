import { expect, test } from '@jest/globals';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { startBakeries } from '../actions/bakery.ts';
import { samples } from '../contract/inputs.ts';
import { deliveryFaults } from '../support/openapi.ts';
import type { Hook } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { at, type Expected, expectShown, fieldName, fill, rounds } from './life.ts';
import { foreignTexts, longest } from './texts.ts';

/** `any`: responses of every shape. */
type Json = any;

const service = shared(startBakeries);

/** A record that was written with difficult texts, and what showed it since. */
interface Written {
  readonly what: string;
  readonly expected: readonly Expected[];
  readonly views: Json[];
}

/** The account of one round. */
interface Bakery {
  readonly round: number;
  readonly account: string;
  readonly key: string;
  readonly hook: Hook;
  readonly endpoint: string;
  /** Newest write by the record's id. */
  readonly written: Map<string, Written>;
}

const call = async ({ key }: Pick<Bakery, 'key'>, method: string, path: string, body?: unknown, headers = {}): Promise<Json> => {
  const response = await service.world.request(method, path, { key, headers, ...(body === undefined ? {} : { body }) });
  expect([method, path, response.status, response.body.error]).toEqual([method, path, method === 'POST' ? 201 : 200, undefined]);
  return response.body;
};

/** Creates a record through the API, twice with one Idempotency-Key, and reads and lists it. */
const post = async (bakery: Bakery, operation: string, path: string, valid: object): Promise<Json> => {
  const { body, expected } = fill(operation, bakery.round, { ...samples[operation], ...valid });
  const sent = [body, { 'Idempotency-Key': operation }] as const;
  const created = await call(bakery, 'POST', path, ...sent);
  expect(await call(bakery, 'POST', path, ...sent)).toEqual(created);
  const read = await call(bakery, 'GET', `${path}/${created.id}`);
  const listed = (await call(bakery, 'GET', path)).data.find(({ id }: Json) => id === created.id);
  expect(listed).toBeDefined();
  bakery.written.set(created.id, { what: operation, expected, views: [created, read, listed] });
  return read;
};

/** Runs an action with difficult texts. Its result shows the record. */
const act = async (bakery: Bakery, action: string, valid: object = {}): Promise<Json> => {
  const { body, expected } = fill(action, bakery.round, { ...samples[action], ...valid });
  const result = await service.act(action, bakery.account, body);
  bakery.written.set(result['id'], { what: action, expected, views: [result] });
  return result;
};

const open = async (round: number): Promise<Bakery> => {
  const named = fill('account.create', round);
  const { id: account } = await service.act('account.create', undefined, named.body);
  const { key } = await service.act('key.create', account, { type: 'secret' });
  const hook = service.receiver.hook();
  const bakery = { round, account, key, hook, endpoint: '', written: new Map<string, Written>() };
  expectShown('account.create', named.expected, [await service.act('account.get', account)]);
  const { id } = await act(bakery, 'key.create');
  await act(bakery, 'key.update', { id });
  const { id: endpoint } = await post(bakery, 'createWebhook', '/webhooks', { url: hook.url, events: eventTypes });
  return { ...bakery, endpoint };
};

/** Authored texts, as the reference endpoints show them. */
const referenceOf = async (bakery: Bakery): Promise<Json> => {
  const read = async (path: string) => call(bakery, 'GET', `/reference/${path}`);
  const { time_slots: slots } = await read('time-slots');
  const { dates, recurring_rules } = await read('blocked-dates');
  const ofType = (type: string) => slots.filter((slot: Json) => slot.type === type).map(({ multiplier: _, ...shown }: Json) => shown);
  return {
    ...(await read('payment-methods')),
    ...(await read('event-categories')),
    time_slots: { pickup: ofType('pickup'), delivery: ofType('delivery') },
    blocked_dates: dates,
    recurring_rules,
    custom_fields: (await read('custom-fields')).fields.map(({ scopes: _, ...shown }: Json) => shown),
  };
};

/** Definitions of the custom fields of the samples. */
const custom_fields = ['flavours', fieldName].map((id) => ({ id, scopes: ['order', 'product', 'customer'] }));

const isSecret = ({ path }: Expected) => /_(key|secret)$/.test(path.at(-1) ?? '');

const configure = async (bakery: Bakery): Promise<void> => {
  const valid = samples['settings.put'];
  const { body, expected } = fill('settings.put', bakery.round, { ...valid, checkout: { ...valid.checkout, gateway: 'stripe' } });
  await service.act('settings.put', bakery.account, body);
  const shown = expected.filter((text) => !isSecret(text));
  const stored = await service.act('settings.get', bakery.account);
  expectShown('settings.put', shown, [
    stored,
    await referenceOf(bakery),
    (await service.act('account.export', bakery.account))['settings'],
  ]);
  const found = await call(bakery, 'POST', '/products/search-token');
  expectShown(
    'search token',
    shown.filter(({ path }) => path[0] === 'search'),
    [{ search: found }],
  );
  // A masked secret can be written back.
  expect(await service.act('settings.put', bakery.account, stored)).toEqual(stored);
  await service.act('settings.put', bakery.account, { custom_fields, checkout: null, search: null });
};

/** An id that the caller chose. */
const ownId = (round: number): string => foreignTexts[round * 3]?.sent.trim() ?? longest(255);

const write = async (bakery: Bakery) => {
  const { round } = bakery;
  const customer = await post(bakery, 'createCustomer', '/customers', { email: `customer${round}@example.com` });
  const buyer = { ...samples['createOrder'].customer, email: `buyer${round}@example.com` };
  const order = await post(bakery, 'createOrder', '/orders', { customer: buyer, emit_webhooks: true });
  bakery.written.get(order.id)?.views.push({ customer: await call(bakery, 'GET', `/customers/${order.customer_id}`) });
  await post(bakery, 'createExpense', '/expenses', {});
  const product = await act(bakery, 'product.create');
  bakery.written
    .get(product.id)
    ?.views.push(await call(bakery, 'GET', `/products/${product.id}`), ...(await call(bakery, 'GET', '/products')).data);
  const expense = await act(bakery, 'expense.create');
  const sale = await act(bakery, 'quick_sale.create');
  await act(bakery, 'inventory.put');
  await act(bakery, 'inventory.put', { id: ownId(round) });
  const payment = await act(bakery, 'payment.create', { order_id: order.id });
  await act(bakery, 'payment.refund', { id: payment.id });
  const fee = await act(bakery, 'gateway_fee.record');
  const { line_items } = await call(bakery, 'GET', `/expenses/${fee.id}`);
  bakery.written.get(fee.id)?.views.splice(0, 1, ...fee.line_items, ...line_items, ...(await exportAll(bakery)).gateway_fees);
  await findThem(bakery, customer, product, expense);
  return { customer, order, product, expense, sale };
};

/** Finds records by texts of their fields. */
const findThem = async (bakery: Bakery, customer: Json, product: Json, expense: Json): Promise<void> => {
  const found = async (path: string, filter: object) =>
    (await call(bakery, 'GET', `${path}?${new URLSearchParams({ ...filter })}`)).data.map(({ id }: Json) => id);
  for (const form of ['NFC', 'NFD'] as const) {
    expect(await found('/customers', { search: customer.first_name.normalize(form) })).toContain(customer.id);
    expect(await found('/products', { search: product.name.normalize(form) })).toEqual([product.id]);
  }
  expect(await found('/products', { category: product.category })).toEqual([product.id]);
  expect(await found('/expenses', { supplier_id: expense.supplier.id })).toContain(expense.id);
  expect(await found('/expenses', { status: expense.status })).toContain(expense.id);
};

const update = async (bakery: Bakery, { customer, order, product, expense, sale }: Awaited<ReturnType<typeof write>>): Promise<void> => {
  const next = { ...bakery, round: (bakery.round + 1) % rounds.length };
  await act(next, 'customer.update', { id: customer.id });
  await act(next, 'order.update', { id: order.id });
  await act(next, 'product.update', { id: product.id });
  await act(next, 'expense.update', { id: expense.id });
  await act(next, 'quick_sale.update', { id: sale.id });
  const { body, expected } = fill('updateWebhook', next.round, { description: '' });
  const changed = await call(bakery, 'PATCH', `/webhooks/${bakery.endpoint}`, body);
  bakery.written.set(bakery.endpoint, { what: 'updateWebhook', expected, views: [changed] });
};

/** Returns an event's object in the form of its record. */
const asRecord = ({ type, data: { object } }: Json): Json => {
  if (!type.startsWith('expense.')) return object;
  const { supplier_id, supplier_name, payment_status, payment_method, payment_reference, ...rest } = object;
  return {
    ...rest,
    supplier: { id: supplier_id, name: supplier_name },
    payment: { status: payment_status, method: payment_method, reference: payment_reference },
  };
};

/** Delivers what was written since, and adds it to the views. */
const deliver = async (bakery: Bakery, from = 0): Promise<number> => {
  await service.pipeline.drain();
  const { hook, written } = bakery;
  const events = hook.requests.slice(from).map(({ headers, body }): Json => {
    expect(deliveryFaults(headers, body.toString())).toEqual([]);
    return JSON.parse(body.toString());
  });
  for (const event of events) {
    const { id, order_id } = event.data.object;
    const ofOrder = event.type.startsWith('payment.') && { payments: [event.data.object] };
    const record = written.get(id);
    record ? record.views.push(asRecord(event)) : written.get(order_id)?.views.push(ofOrder);
  }
  const { data } = await call(bakery, 'GET', `/webhooks/${bakery.endpoint}/events?limit=100`);
  expect(data.map(({ status }: Json) => status)).toEqual(hook.requests.map(() => 'delivered'));
  for (const { what, expected, views } of written.values()) expectShown(what, expected, views);
  return hook.requests.length;
};

/** Returns the whole export, with lists by name. */
const exportAll = async ({ account }: Bakery): Promise<Json> => {
  const { next_cursor, ...document } = await service.act('account.export', account);
  expect(next_cursor).toBeNull();
  return document;
};

const exported = async (bakery: Bakery): Promise<void> => {
  const { events, ...lists } = await exportAll(bakery);
  const entries = Object.values<Json>(lists).filter(Array.isArray).flat();
  const records = [...entries, ...lists.orders.flatMap(({ payments }: Json) => payments)];
  for (const [id, { what, expected }] of bakery.written)
    if (what !== 'gateway_fee.record')
      expectShown(
        `export of ${what}`,
        expected,
        records.filter((one: Json) => one.id === id),
      );
  const bodies = new Map(events.map((event: Json) => [event.id, event]));
  for (const { body } of bakery.hook.requests) {
    const event = JSON.parse(body.toString());
    expect(bodies.get(event.id)).toEqual(event);
  }
};

const erase = async (bakery: Bakery, { customer, order }: Json): Promise<void> => {
  for (const id of [customer.id, order.customer_id]) {
    expect(await service.act('customer.erase', bakery.account, { id })).toMatchObject({ erased: true });
    const erasedCustomer = await call(bakery, 'GET', `/customers/${id}`);
    for (const { path } of fill('createCustomer', bakery.round).expected) expect(at(erasedCustomer, path) ?? null).toBeNull();
  }
  expect(await call(bakery, 'GET', `/orders/${order.id}`)).toMatchObject({
    customer_name: null,
    customer_phone: null,
    notes: null,
    metadata: {},
  });
  expect(await service.act('account.erase', bakery.account)).toMatchObject({ erased: true });
};

test.each(rounds)('difficult texts are returned, found, delivered, exported and erased, round %d', async (round) => {
  service.world.clock.advance(60_000);
  const bakery = await open(round);
  await configure(bakery);
  const records = await write(bakery);
  const delivered = await deliver(bakery);
  await update(bakery, records);
  await deliver(bakery, delivered);
  await exported(bakery);
  await erase(bakery, records);
});
