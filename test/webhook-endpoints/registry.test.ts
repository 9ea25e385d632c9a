import { beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { errorBody, newUrl, openShop, type Shop } from './shop.ts';

// Guarantee 20 (docs/guarantees.md)

const world = shared(startWorld);
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(world);
});

const statuses = (responses: readonly { readonly status: number }[], status: number): number =>
  responses.filter((response) => response.status === status).length;
const stored = async (): Promise<number> => (await world.store.endpoints.all(shop.account)).length;
const registerMany = (count: number, fields: Record<string, unknown> = {}) =>
  Promise.all(Array.from({ length: count }, () => shop.register(fields)));

describe('ten endpoints per account', () => {
  test('the eleventh endpoint of an account is rejected', async () => {
    for (let i = 0; i < 10; i++) await shop.endpoint();
    const response = await shop.register();
    expect([response.status, response.body.error.code, response.body.error.type, await stored()]).toEqual([
      400,
      'invalid_value',
      'validation_error',
      10,
    ]);
  });

  test('disabled endpoints count towards the ten of an account', async () => {
    const { id } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    for (let i = 1; i < 10; i++) await shop.endpoint();
    expect((await shop.register()).status).toBe(400);
  });

  test('a deleted endpoint allows one new endpoint', async () => {
    const { id } = await shop.endpoint();
    for (let i = 1; i < 10; i++) await shop.endpoint();
    await shop.call('DELETE', `/webhooks/${id}`);
    expect([(await shop.register()).status, (await shop.register()).status]).toEqual([201, 400]);
  });

  test("another account's endpoints do not count towards the ten", async () => {
    for (let i = 0; i < 10; i++) await shop.endpoint();
    expect((await (await openShop(world)).register()).status).toBe(201);
  });

  test('30 simultaneous creations create exactly ten endpoints', async () => {
    const responses = await registerMany(30);
    expect([statuses(responses, 201), statuses(responses, 400), await stored()]).toEqual([10, 20, 10]);
  });

  test('rejected creations do not count towards the ten endpoints of an account', async () => {
    await shop.register({ events: [] });
    const url = newUrl();
    await registerMany(5, { url });
    expect(statuses(await registerMany(10), 201)).toBe(9);
  });
});

describe('a registered URL', () => {
  const sameUrls = [
    ['the same text', 'https://hooks.example.com/a'],
    ['the host in another case', 'https://HOOKS.example.COM/a'],
    ['the scheme in another case', 'HTTPS://hooks.example.com/a'],
    ['the default port', 'https://hooks.example.com:443/a'],
    ['dot segments', 'https://hooks.example.com/b/../a'],
    ['space around it', '  https://hooks.example.com/a '],
    ['an escaped host', 'https://hooks.ex%61mple.com/a'],
    ['a fragment, which is never sent', 'https://hooks.example.com/a#b'],
  ] as const;

  test.each(sameUrls)('a registered URL is rejected a second time with 409: %s', async (_how, url) => {
    await shop.endpoint({ url: 'https://hooks.example.com/a' });
    const response = await shop.register({ url });
    expect([response.status, response.body, await stored()]).toEqual([409, errorBody('conflict', 'url'), 1]);
  });

  test.each([
    ['another path', 'https://hooks.example.com/A'],
    ['a trailing slash', 'https://hooks.example.com/a/'],
    ['another port', 'https://hooks.example.com:8443/a'],
    ['a query', 'https://hooks.example.com/a?b'],
  ])('a registered URL does not block other URLs: %s', async (_how, url) => {
    await shop.endpoint({ url: 'https://hooks.example.com/a' });
    expect((await shop.register({ url })).status).toBe(201);
  });

  test('a registered URL may be registered by another account', async () => {
    const { url } = await shop.endpoint();
    expect((await (await openShop(world)).register({ url })).status).toBe(201);
  });

  test('a registered URL is rejected with 409 even if its endpoint is disabled', async () => {
    const { id, url } = await shop.endpoint();
    await shop.call('PATCH', `/webhooks/${id}`, { enabled: false });
    expect((await shop.register({ url })).status).toBe(409);
  });

  test('a registered URL may be registered again after its endpoint is deleted', async () => {
    const { id, url } = await shop.endpoint();
    await shop.call('DELETE', `/webhooks/${id}`);
    expect((await shop.register({ url })).status).toBe(201);
  });

  test('a registered URL may be registered again after its endpoint changed to another URL, which then may not', async () => {
    const { id, url } = await shop.endpoint();
    const next = newUrl();
    await shop.call('PATCH', `/webhooks/${id}`, { url: next });
    expect([(await shop.register({ url: next })).status, (await shop.register({ url })).status]).toEqual([409, 201]);
  });

  test('a registered URL is registered once by twenty simultaneous creations', async () => {
    const responses = await registerMany(20, { url: newUrl() });
    expect([statuses(responses, 201), statuses(responses, 409), await stored()]).toEqual([1, 19, 1]);
  });

  test.each(sameUrls)("a registered URL is rejected in another endpoint's PATCH: %s", async (_how, url) => {
    await shop.endpoint({ url: 'https://hooks.example.com/a' });
    const { id, url: own } = await shop.endpoint();
    const response = await shop.call('PATCH', `/webhooks/${id}`, { url, description: 'moved' });
    const { url: storedUrl, description } = (await shop.call('GET', `/webhooks/${id}`)).body;
    expect([response.status, response.body, storedUrl, description]).toEqual([409, errorBody('conflict', 'url'), own, '']);
  });

  test.each(sameUrls)("a registered URL is accepted in its own endpoint's PATCH: %s", async (_how, url) => {
    const { id } = await shop.endpoint({ url: 'https://hooks.example.com/a' });
    const response = await shop.call('PATCH', `/webhooks/${id}`, { url });
    expect([response.status, response.body.url, (await shop.register({ url })).status]).toEqual([200, url.trim(), 409]);
  });

  test('if several endpoints change to one URL at the same time, one of them gets it', async () => {
    const endpoints = [await shop.endpoint(), await shop.endpoint(), await shop.endpoint(), await shop.endpoint()];
    const url = newUrl();
    const responses = await Promise.all(endpoints.map(({ id }) => shop.call('PATCH', `/webhooks/${id}`, { url })));
    const urls = (await world.store.endpoints.all(shop.account)).map((endpoint) => endpoint.url);
    expect([statuses(responses, 200), statuses(responses, 409), urls.filter((one) => one === url).length]).toEqual([1, 3, 1]);
  });
});
