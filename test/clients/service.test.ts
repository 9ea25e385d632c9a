import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiError, type Client, type ClientOptions, createClient, type ResponseInfo } from '../../clients/typescript/src/index.ts';
import { createClock } from '../support/clock.ts';
import { type Merchant, startJourney } from '../support/journey.ts';
import { serve } from '../support/serve.ts';
import { shared } from '../support/shared.ts';

const clock = createClock();
const journey = shared(() => startJourney({ regions: ['us'], clock }));
let merchant: Merchant;
let client: Client;
let responses: ResponseInfo[];
beforeEach(async () => {
  merchant = await journey.merchant();
  responses = [];
  client = clientOf({});
});

/** Waits by advancing the service's clock. */
const clientOf = (options: Partial<ClientOptions>): Client =>
  createClient({
    apiKey: merchant.key,
    baseUrl: `${journey.runtime.urls.us}/api/v2`,
    onResponse: (response) => responses.push(response),
    wait: async (ms) => clock.advance(ms),
    ...options,
  } as ClientOptions);

const rent = { amount: 5, date: '2026-03-01', category: 'rent' };
const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

describe('listAll', () => {
  test('listAll gives every record once, over pages with unchanged parameters', async () => {
    const created = await Promise.all([1, 2, 3, 4, 5].map((amount) => client.expenses.create({ ...rent, amount })));
    await client.expenses.create({ ...rent, category: 'wages' });
    responses.length = 0;
    const found = await all(client.expenses.listAll({ category: 'rent', limit: 2 }));
    expect(found.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    const queries = responses.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
    expect(queries).toEqual([
      { category: 'rent', limit: '2' },
      { category: 'rent', limit: '2', cursor: expect.any(String) },
      { category: 'rent', limit: '2', cursor: expect.any(String) },
    ]);
  });

  test('listAll walks on through empty pages', async () => {
    const pages = [
      { data: [{ id: 'ord_1' }], pagination: { limit: 1, has_more: true, next_cursor: 'a', prev_cursor: null } },
      { data: [], pagination: { limit: 1, has_more: true, next_cursor: 'b', prev_cursor: null } },
      { data: [{ id: 'ord_2' }], pagination: { limit: 1, has_more: false, next_cursor: null, prev_cursor: null } },
    ];
    const fetch = async () => new Response(JSON.stringify(pages.shift()));
    expect((await all(clientOf({ fetch }).orders.listAll())).map(({ id }) => id)).toEqual(['ord_1', 'ord_2']);
  });

  test('requests no page that the caller does not read', async () => {
    for (const amount of [1, 2, 3]) await client.expenses.create({ ...rent, amount });
    responses.length = 0;
    for await (const _ of client.expenses.listAll({ limit: 1 })) break;
    expect(responses).toHaveLength(1);
  });

  test("listAll fails with invalid_cursor if the cursor's record is deleted", async () => {
    await expect(all(client.webhooks.listAll({ cursor: 'nowhere' }))).rejects.toMatchObject({ code: 'invalid_cursor', field: 'cursor' });
  });
});

test('a creation with a lost response is replayed, not repeated', async () => {
  let lost = 0;
  const flaky = clientOf({
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (lost++ > 0) return response;
      await response.text();
      throw new TypeError('socket hang up');
    },
  });
  const expense = await flaky.expenses.create(rent);
  expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true']);
  expect((await all(client.expenses.listAll())).map(({ id }) => id)).toEqual([expense.id]);
});

test('two calls under one key of your own are one creation', async () => {
  const [one, two] = [
    await client.orders.create({ items: [{ name: 'Cake', quantity: 1, unit_price: 30 }] }, { idempotencyKey: 'cart-1' }),
    await client.orders.create({ items: [{ name: 'Cake', quantity: 1, unit_price: 30 }] }, { idempotencyKey: 'cart-1' }),
  ];
  expect(two).toEqual(one);
  await expect(
    client.orders.create({ items: [{ name: 'Bread', quantity: 1, unit_price: 4 }] }, { idempotencyKey: 'cart-1' }),
  ).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
});

test('simultaneous creations under one key make one record: the second waits out request_in_flight', async () => {
  let done = () => {};
  const created = new Promise<void>((resolve) => {
    done = resolve;
  });
  const patient = clientOf({
    wait: () => created,
    onResponse: ({ status }) => {
      if (status === 201) done();
    },
  });
  const expenses = await Promise.all([1, 2, 3, 4].map(() => patient.expenses.create(rent, { idempotencyKey: 'night-sync' })));
  expect(new Set(expenses.map(({ id }) => id)).size).toBe(1);
});

test('the client waits for a rate limit: it sends the eleventh webhook test a minute later', async () => {
  const { id } = await client.webhooks.create({ url: journey.receiver.hook().url, events: ['order.created'] });
  responses.length = 0;
  const beforeMs = clock.now();
  for (let count = 0; count < 11; count += 1) expect((await client.webhooks.test(id)).success).toBe(true);
  expect(responses.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429, 200]);
  expect(clock.now() - beforeMs).toBe(60_000);
});

describe('the fields of an error', () => {
  const caught = async (call: Promise<unknown>): Promise<ApiError> => {
    const error = await call.then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!(error instanceof ApiError)) throw new Error('An ApiError was expected.', { cause: error });
    return error;
  };

  test('an error has status, type, code, field and request id of the standard envelope', async () => {
    const error = await caught(client.expenses.create({ ...rent, amount: 0 }));
    expect(error).toMatchObject({ status: 400, type: 'validation_error', code: 'invalid_value', field: 'amount' });
    expect([error.requestId, error.message.startsWith('400 invalid_value: ')]).toEqual([responses[0]?.headers.get('x-request-id'), true]);
  });

  test('an error names the scope that the key lacks', async () => {
    const { key } = await merchant.act('key.create', { type: 'secret', group: 'readOnly', name: 'reader' });
    expect(await caught(clientOf({ apiKey: key }).expenses.create(rent))).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      requiredScope: 'expenses:write',
    });
  });

  test('an error has the numbers of limit_reached in its body', async () => {
    await merchant.act('account.update', { id: merchant.account, order_limit: 0 });
    const error = await caught(client.orders.create({ items: [{ name: 'Cake', quantity: 1, unit_price: 30 }] }));
    expect(error).toMatchObject({ status: 403, code: 'limit_reached', body: { error: { max: 0 } } });
  });

  test('an error has the name of a flat rejection as its code', async () => {
    await merchant.act('account.update', { id: merchant.account, plan: 'starter' });
    expect(await caught(client.orders.list())).toMatchObject({ code: 'plan_required', type: undefined, body: { current: 'starter' } });
    await merchant.act('account.update', { id: merchant.account, plan: 'business', status: 'suspended' });
    expect(await caught(client.orders.list())).toMatchObject({ code: 'account_inactive', body: { status: 'suspended' } });
    expect(responses.map(({ status }) => status)).toEqual([403, 403]);
  });

  test('an error has the seconds to wait of a rate limit', async () => {
    const { id } = await client.webhooks.create({ url: journey.receiver.hook().url, events: ['order.created'] });
    for (let count = 0; count < 10; count += 1) await client.webhooks.test(id);
    const error = await caught(client.webhooks.test(id, { maxRetries: 0 }));
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', retryAfterSeconds: 60 });
  });

  test("a 401 has the key's region, and says what to check", async () => {
    const apiKey = merchant.key.replace('_us_', '_eu_');
    const error = await caught(clientOf({ apiKey }).orders.list());
    expect(error).toMatchObject({ status: 401, code: 'invalid_api_key' });
    const hint = `The key names the region eu: is ${journey.runtime.urls.us}/api/v2 that region's address, and the key neither revoked nor expired?`;
    expect(error.message).toContain(hint);
  });

  test("an error has the body's wait and no request id if a proxy has removed headers", async () => {
    const fetch = async () => new Response('{ "error": "rate_limit_exceeded", "message": "x", "retryAfter": 60 }', { status: 429 });
    const error = await caught(clientOf({ fetch, maxRetries: 0 }).orders.list());
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', requestId: undefined, retryAfterSeconds: 60 });
  });

  test('an error has no code if the body is not the service’s own', async () => {
    const fetch = async () => new Response('<html>', { status: 404 });
    expect(await caught(clientOf({ fetch }).orders.list())).toMatchObject({ status: 404, code: 'unknown', body: '<html>' });
  });
});

test('a redirect is not followed with the key', async () => {
  let followed = 0;
  const { url: baseUrl, stop } = await serve((request, response) => {
    if (request.url === '/elsewhere') followed += 1;
    response.writeHead(307, { location: '/elsewhere' }).end();
  });
  const listed = createClient({ apiKey: 'svc_sk_live_us_k', baseUrl }).orders.list();
  await expect(listed).rejects.toMatchObject({ status: 307 });
  await stop();
  expect(followed).toBe(0);
});
