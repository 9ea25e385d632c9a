import { describe, expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';
import { allItems, details, person, tracesIn } from '../support/person.ts';
import { writeCustomer } from '../support/shop.ts';
import { addEndpoint, eventStorageCases, storeTwice } from './deliveries.ts';
import { openForEachTest } from './each-test.ts';

const at = openForEachTest();

const page = (input: unknown) => at.service.act('customer.export', at.bakery.account, input);
/** Reads all pages, as `ops` does. */
const everything = (id = at.bakery.customer) => follow('customer.export', page, { id }) as Promise<Record<string, any>>;
const storedItems = async () => (await allItems(at.service.world)).filter(({ key }) => key.includes(at.bakery.account));
/** Number of stored items of the kind with this prefix that hold details of the person. */
const storedWithTraces = async (prefix: string) =>
  (await storedItems()).filter((item) => item.key.startsWith(`${prefix}#`) && tracesIn([item]).length > 0).length;
const tracesOf = (value: unknown): string[] => tracesIn([{ key: '', item: { value } }]).sort();

describe('customer.export', () => {
  test('customer.export shows every record that holds details of the person, and nothing of them after the erasure', async () => {
    const document = await everything();
    for (const [list, prefix] of Object.entries({
      checkout_sessions: 'chk',
      gateway_fees: 'fel',
      orders: 'ord',
      stored_responses: 'idm',
    })) {
      const count = await storedWithTraces(prefix);
      expect([list, count]).not.toEqual([list, 0]);
      expect([list, document[list].filter((one: unknown) => tracesOf(one).length > 0).length]).toEqual([list, count]);
    }
    expect(document).toMatchObject({ customer: { ...person, ...details, id: at.bakery.customer }, has_more: false, next_cursor: null });
    expect(document['payments'].map(({ id }: { id: string }) => id)).toEqual([at.bakery.loosePayment]);
    expect(new Set(document['events'].map(({ id }: { id: string }) => id)).size).toBeGreaterThan(0);
    expect(document['receiver_answers'].length).toBeGreaterThan(0);

    await at.service.act('customer.erase', at.bakery.account, { id: at.bakery.customer });
    const after = await everything();
    expect(tracesOf(after)).toEqual([]);
    expect(after['customer']).toMatchObject({ id: at.bakery.customer, first_name: null, erased_at: expect.any(String) });
  });

  test('customer.export shows every text about the person that is stored, but for the email that finds the customer', async () => {
    const traces = (await storedItems())
      .filter(({ key }) => !key.startsWith('cue#'))
      .flatMap((item) => tracesIn([{ key: '', item: item.item }]));
    expect(tracesOf(await everything())).toEqual([...new Set(traces)].sort());
  });

  test('customer.export shows no record of another customer, and of an order with their phone only the phone', async () => {
    const other = await writeCustomer(at.service.world.services, at.bakery.account, { first_name: 'Bo', email: 'bo@example.com' });
    const items = [{ name: 'Bun', quantity: 1, unit_price: 2 }];
    const { body: own } = await at.bakery.call('POST', '/orders', { customer: { id: other.id }, items, notes: 'for Bo' });
    const { body: ringing } = await at.bakery.call('POST', '/orders', {
      customer: { email: 'bo@example.com', phone: person.phone },
      items,
    });
    const document = await everything();
    expect(document['orders'].map(({ id }: { id: string }) => id)).not.toContain(own.id);
    expect(document['orders']).toContainEqual({ id: ringing.id, customer_phone: person.phone });
    expect(JSON.stringify(document)).not.toContain('bo@example.com');
    const theirs = await everything(other.id);
    expect(theirs['orders'].map(({ id }: { id: string }) => id).sort()).toEqual([own.id, ringing.id].sort());
    expect(tracesOf(theirs)).toEqual(['5550199'].map((trace) => `: ${trace}`));
  });

  test.each(eventStorageCases)(
    'customer.export shows an event that is stored in %s once, with the responses of its receivers',
    async (_, storage) => {
      const { service, bakery } = at;
      const { store, clock, newId } = service.world.services;
      const endpoints = [await addEndpoint(service.world, bakery.account), await addEndpoint(service.world, bakery.account)];
      const id = newId('evt', clock.now());
      const object = { id: bakery.customer, ...person };
      const body = JSON.stringify({ id, type: 'customer.updated', created: 1, data: { object }, tenant_id: bakery.account });
      const alone = endpoints.slice(0, storage.records);
      await storeTwice(service.world, bakery.account, body, { alone, hasOwnItem: storage.hasOwnItem });
      const receiverResponse = { contentType: 'text/plain', body: Buffer.from('Thank you') };
      const atMs = clock.now();
      const failed = { status: 'pending', attempts: 1, statusCode: 500, error: 'http_error', durationMs: 1 } as const;
      for (const endpoint of alone) {
        const attempt = { account: bakery.account, endpoint, event: id, run: 1, attempt: 0 };
        await store.deliveries.finish(attempt, 'token', { ...failed, atMs, nextAtMs: atMs, receiverResponse });
      }
      const document = await everything();
      const shown = (list: string, name: string) => document[list].filter((one: Record<string, unknown>) => one[name] === id);
      expect(shown('events', 'id')).toHaveLength(1);
      const answered = shown('receiver_answers', 'event_id').map((one: { endpoint_id: string }) => one.endpoint_id);
      expect(answered.sort()).toEqual(alone.toSorted());
    },
  );

  test('customer.export rejects a cursor of another document', async () => {
    expect(await at.service.errorOf('customer.export', at.bakery.account, { id: at.bakery.customer, cursor: 'x' })).toMatchObject({
      status: 400,
      code: 'invalid_cursor',
      field: 'cursor',
    });
  });
});
