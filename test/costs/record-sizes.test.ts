import { beforeAll, expect, test } from '@jest/globals';
import { type Item, itemBytes } from '../../local/engine/commands/values.ts';
import { kindOf } from '../../shared/table/keys.ts';
import { type Kind, kindNames } from '../../shared/table/schema.ts';
import { openBakery, startBakeries } from '../actions/bakery.ts';
import { openCounter } from '../checkout-page/page.ts';
import { allItems } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { fiveItems, person } from './operations.ts';

/** Bytes of an item per write unit. */
const stepBytes = 1_024;

/** Kinds with items of their own: `due` is an index partition of delivery records. */
/** A slot of a search is held for seconds, by searches of the dashboard only. */
type StoredKind = Exclude<Kind, 'due' | 'searchSlot'>;

/**
 * Write units of a typical record of each kind, and the bytes that remain before the next unit. If
 * a record outgrows its margin, every write of its kind costs more: make the record smaller.
 */
// biome-ignore format: a table
const sizes: Readonly<Record<StoredKind, { readonly units: number; readonly margin: number }>> = {
  account: { units: 1, margin: 700 },
  apiKey: { units: 1, margin: 400 },
  keyUse: { units: 1, margin: 900 },
  settings: { units: 1, margin: 500 },
  checkoutSession: { units: 1, margin: 40 },
  expense: { units: 1, margin: 300 },
  feeLine: { units: 1, margin: 600 },
  feeTransaction: { units: 1, margin: 800 },
  unbookedFee: { units: 1, margin: 600 },
  order: { units: 1, margin: 50 },
  payment: { units: 1, margin: 300 },
  paymentPointer: { units: 1, margin: 800 },
  customer: { units: 1, margin: 400 },
  customerEmail: { units: 1, margin: 900 },
  product: { units: 1, margin: 300 },
  quickSale: { units: 1, margin: 600 },
  inventoryItem: { units: 1, margin: 700 },
  counter: { units: 1, margin: 900 },
  idempotency: { units: 1, margin: 300 },
  event: { units: 1, margin: 120 },
  deliveryRecord: { units: 1, margin: 200 },
  endpoint: { units: 1, margin: 400 },
  notice: { units: 1, margin: 700 },
  endpointRegistry: { units: 1, margin: 700 },
  erasure: { units: 1, margin: 700 },
  heartbeat: { units: 1, margin: 900 },
};

const service = shared(startBakeries);
/** Bytes of the largest record of each kind, on a typical day if that has one. */
const largest = new Map<Kind, number>();

/**
 * Creates a typical day of a known customer: an order of five items, changed twice, and a paid
 * checkout, all delivered. Returns the account.
 */
const usualDay = async (): Promise<string> => {
  const { world, act, pipeline, receiver } = service;
  const { shop, pay } = await openCounter(world, { fields: { customer: person('shopper@example.com') } });
  const call = (path: string, body: object) =>
    world.request('POST', path, { key: shop.secretKey, body, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  await call('/webhooks', { url: receiver.hook(200).url, events: ['order.created', 'order.updated', 'customer.created'] });
  const { body: customer } = await call('/customers', person('ada@example.com'));
  const { body: order } = await call('/orders', { items: fiveItems, customer: { id: customer.id }, delivery_date: '2026-04-01' });
  await call('/expenses', { amount: 12.5, date: '2026-03-05', category: 'ingredients', supplier: { id: 'sup_1', name: 'Mill' } });
  await pay('4242 4242 4242 4242');
  for (const status of ['confirmed', 'in_production']) {
    world.clock.advance(1_000);
    await act('order.set_status', shop.account.id, { id: order.id, status });
  }
  await world.store.heartbeat.write();
  await pipeline.drain();
  return shop.account.id;
};

beforeAll(async () => {
  // This account has a record of every kind, with more data than is typical.
  const { account, call } = await openBakery(service);
  const { body: other } = await call('POST', '/customers', { last_name: 'Other' });
  await service.act('customer.erase', account, { id: other.id });
  const usual = await usualDay();
  const records = (await allItems(service.world)).flatMap(({ key, item }) => {
    const kind = kindOf(item['pk']);
    return kind ? [{ kind, bytes: itemBytes(item as Item), isUsual: key.includes(usual) }] : [];
  });
  for (const kind of kindNames) {
    const all = records.filter((record) => record.kind === kind);
    const ofDay = all.filter(({ isUsual }) => isUsual);
    largest.set(kind, Math.max(...(ofDay.length > 0 ? ofDay : all).map(({ bytes }) => bytes)));
  }
});

test('the list of sizes has every kind that stores items', () => {
  expect(['due', 'searchSlot', ...Object.keys(sizes)].toSorted()).toEqual([...kindNames].toSorted());
});

test.each(Object.entries(sizes))('a typical %s keeps its margin below the next write unit: %j', (kind, { units, margin }) => {
  const bytes = largest.get(kind as Kind) ?? Number.NaN;
  expect(bytes).toBeGreaterThan((units - 1) * stepBytes);
  expect(bytes).toBeLessThanOrEqual(units * stepBytes - margin);
});
