import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

const journey = shared(() => startJourney({ regions: ['us', 'eu'] }));
let merchant: Merchant;
beforeEach(async () => {
  merchant = await journey.merchant('us');
});

const list = (input: object = {}) => merchant.act('request.list', input);
const invalid = { amount: 'a lot' };

describe('request.list', () => {
  test('request.list shows a rejected call at once, without its body, query or path', async () => {
    const { headers } = await merchant.call('POST', '/expenses?secret=query', invalid);
    const { data } = await list();
    expect(data[0]).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      method: 'POST',
      route: '/api/v2/expenses',
      status: 400,
      error_code: expect.any(String),
      field: 'amount',
      duration_ms: expect.any(Number),
      key_id: expect.stringMatching(/^key_/),
      key_name: expect.any(String),
      request_id: headers['x-request-id'],
    });
  });

  test('request.list names a rejected field without a name that the caller chose', async () => {
    const fieldOf = async (path: string, body: object) => {
      await merchant.call('POST', path, body);
      return (await list({ limit: 1 })).data[0].field;
    };
    expect(await fieldOf('/orders', { items: [{ name: 'Rye', unit_price: 'much', quantity: 1 }] })).toBe('items.0.unit_price');
    expect(await fieldOf('/customers', { last_name: 'Okafor', metadata: { 'ada@example.com': {} } })).toBe('metadata');
    expect(await fieldOf('/customers', { last_name: 'Okafor', custom_fields: { ada: 'x' } })).toBe('custom_fields');
    await merchant.call('GET', '/orders');
    expect((await list({ limit: 1 })).data).toMatchObject([{ status: 200, field: null }]);
  });

  test('request.list shows the call that opens a checkout, but no visit of the hosted page', async () => {
    const product = await merchant.act('product.create', { name: 'Tart', price: 4, status: 'active' });
    const session = { items: [{ product_id: product.id, quantity: 1 }], delivery_type: 'pickup', delivery_date: '2099-03-02' };
    const { body } = await merchant.call('POST', '/checkout', {
      ...session,
      success_url: 'https://shop.example/thanks',
      cancel_url: 'https://shop.example/cart',
    });
    expect((await fetch(body.url)).status).toBe(200);
    expect((await list()).data).toMatchObject([{ route: '/api/v2/checkout', status: 201 }]);
  });

  test('request.list finds a request by its X-Request-Id, but not in another account', async () => {
    const { headers } = await merchant.call('GET', '/orders');
    const request_id = headers['x-request-id'];
    expect((await list({ request_id })).data).toMatchObject([{ request_id, route: '/api/v2/orders', status: 200, error_code: null }]);
    for (const other of [await journey.merchant('us'), await journey.merchant('eu')])
      expect((await other.act('request.list', { request_id })).data).toEqual([]);
  });

  test('request.list filters by status, class of status, key and time', async () => {
    await merchant.call('GET', '/orders');
    const between = new Date().toISOString();
    await merchant.call('GET', '/orders/ord_unknown');
    await merchant.call('POST', '/expenses', invalid);
    const statuses = async (input: object) => (await list(input)).data.map(({ status }: { status: number }) => status);
    expect(await statuses({})).toEqual([400, 404, 200]);
    expect(await statuses({ status: 404 })).toEqual([404]);
    expect(await statuses({ status: '4xx' })).toEqual([400, 404]);
    expect(await statuses({ status: '5xx' })).toEqual([]);
    expect(await statuses({ key: 'key_other' })).toEqual([]);
    const [{ key_id }] = (await list()).data;
    expect(await statuses({ key: key_id })).toEqual([400, 404, 200]);
    expect(await statuses({ since: new Date(Date.parse(between) + 60_000).toISOString() })).toEqual([]);
    expect(await statuses({ until: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  test('request.list shows each request once if the caller follows the cursor to the end', async () => {
    const sent = await Promise.all(Array.from({ length: 7 }, () => merchant.call('GET', '/orders')));
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, pagination } = await list({ limit: 2, ...(cursor && { cursor }) });
      seen.push(...data.map(({ request_id }: { request_id: string }) => request_id));
      expect(pagination.has_more).toBe(pagination.next_cursor !== null);
      cursor = pagination.next_cursor;
    }
    expect(seen.sort()).toEqual(sent.map(({ headers }) => headers['x-request-id']).sort());
  });

  test('request.list states the time up to which it searched', async () => {
    await merchant.call('GET', '/orders');
    const { data, searched_until } = await list();
    expect(Date.parse(searched_until)).toBeGreaterThanOrEqual(Date.parse(data[0].time));
    expect((await list({ until: '2026-01-01T00:00:00Z' })).searched_until).toBe('2026-01-01T00:00:00.000Z');
  });

  test('request.list rejects a forged cursor', async () => {
    for (let i = 0; i < 2; i += 1) await merchant.call('GET', '/orders');
    const { pagination } = await list({ limit: 1 });
    const [version, fingerprint] = JSON.parse(Buffer.from(pagination.next_cursor, 'base64url').toString());
    const cursor = Buffer.from(JSON.stringify([version, fingerprint, '!', 'req-1'])).toString('base64url');
    await expect(list({ limit: 1, cursor })).rejects.toThrow('invalid_cursor');
  });

  test.each([
    [{ status: 'bad' }, 'status'],
    [{ status: 99 }, 'status'],
    [{ since: 'soon' }, 'since'],
    [{ since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'until'],
    [{ request_id: 'a" | delete' }, 'request_id'],
    [{ cursor: 'forged' }, 'cursor'],
    [{ until: 1 }, 'until'],
    [{ until: '2031-12-31T00:00:00 02:00' }, 'until'],
  ])('request.list rejects %j and names %s', async (input, field) => {
    await expect(list(input)).rejects.toThrow(`"field":"${field}"`);
  });
});
