import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { productionPolicy } from '../../shared/webhooks/policy.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { hostileUrls } from '../webhooks/hostile-urls.ts';
import { errorBody, newUrl, openShop, type Shop } from './shop.ts';

const world = shared(() => startWorld({ policy: productionPolicy }));
let shop: Shop;
beforeEach(async () => {
  shop = await openShop(world);
});

const stored = async (): Promise<number> => (await world.store.endpoints.all(shop.account)).length;

describe('POST /webhooks', () => {
  test('POST /webhooks returns 201 with the whole endpoint and its secret', async () => {
    const now = new Date(world.clock.now()).toISOString();
    const url = newUrl();
    const response = await shop.register({ url, events: ['expense.created', 'order.deleted'], description: 'Ledger' });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      url,
      description: 'Ledger',
      events: ['expense.created', 'order.deleted'],
      enabled: true,
      status: 'active',
      disabled_reason: null,
      delivery_stats: {
        success_count: 0,
        failure_count: 0,
        consecutive_failures: 0,
        last_delivery_at: null,
        last_success_at: null,
        last_failure_at: null,
      },
      created_at: now,
      updated_at: now,
      secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
    });
  });

  test('POST /webhooks gives each endpoint its own secret', async () => {
    const [one, two] = [await shop.endpoint(), await shop.endpoint()];
    expect(one.secret).not.toBe(two.secret);
  });

  test('POST /webhooks accepts every subscribable type and stores each once', async () => {
    expect((await shop.endpoint({ events: [...eventTypes, ...eventTypes] })).events).toEqual([...eventTypes]);
  });

  test.each([
    ['absent', undefined, ''],
    ['null', null, ''],
    ['with markup', ' <b>Ledger</b> & <i>co</i> ', '<b>Ledger</b> & <i>co</i>'],
    ['of 20,000 characters', 'é'.repeat(20_000), 'é'.repeat(20_000)],
  ])('POST /webhooks accepts a description that is %s', async (_how, description, stored) => {
    expect((await shop.endpoint({ description })).description).toBe(stored);
  });

  test('POST /webhooks stores the URL as it was written, without surrounding whitespace', async () => {
    expect((await shop.endpoint({ url: '  https://Hooks.Example.com:443/a/../B?x=%7e#f ' })).url).toBe(
      'https://Hooks.Example.com:443/a/../B?x=%7e#f',
    );
  });

  test('POST /webhooks accepts a public address', async () => {
    expect((await shop.register({ url: 'https://8.8.8.8:8443/hook' })).status).toBe(201);
  });

  test('POST /webhooks ignores unknown fields and fields that only the service sets', async () => {
    const { secret, id, enabled, delivery_stats, extra } = await shop.endpoint({
      id: 'whe_mine',
      secret: 'whsec_mine',
      enabled: false,
      delivery_stats: { success_count: 5 },
      extra: true,
    });
    expect({ mine: [secret, id].includes('whsec_mine') || id === 'whe_mine', enabled, count: delivery_stats.success_count, extra }).toEqual(
      {
        mine: false,
        enabled: true,
        count: 0,
        extra: undefined,
      },
    );
  });

  test.each([
    ['absent', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', ['https://hooks.example.com/']],
    ['an object', { href: 'https://hooks.example.com/' }],
    ['empty', ''],
    ['only space', '   '],
  ])('POST /webhooks rejects a url that is %s', async (_how, url) => {
    const response = await shop.register({ url });
    expect([response.status, response.body]).toEqual([400, errorBody('invalid_value', 'url')]);
  });

  test('POST /webhooks rejects every hostile URL and stores none', async () => {
    const urls = hostileUrls.map(({ url }) => url.replace('{port}', '8443')).filter((url) => url.trim() === url);
    const wrong: unknown[] = [];
    for (const [i, url] of urls.entries()) {
      if (i % 90 === 0) world.clock.advance(60_000); // the write bucket refills
      const { status, body } = await shop.register({ url });
      if (status !== 400 || body.error.code !== 'invalid_value' || body.error.field !== 'url') wrong.push([url, status, body]);
    }
    expect(wrong).toEqual([]);
    expect(await stored()).toBe(0);
  });

  test.each([
    ['absent', undefined, 'events'],
    ['null', null, 'events'],
    ['empty', [], 'events'],
    ['a string', 'expense.created', 'events'],
    ['an object', { 0: 'expense.created' }, 'events'],
    ['an unknown type', ['expense.created', 'expense.deleted'], 'events.1'],
    ['webhook.test', ['webhook.test'], 'events.0'],
    ['a wildcard', ['*'], 'events.0'],
    ['in another case', ['Expense.Created'], 'events.0'],
    ['surrounded by space', [' expense.created'], 'events.0'],
    ['a name of the prototype', ['constructor'], 'events.0'],
    ['a number', [1], 'events.0'],
    ['a null', ['expense.created', null], 'events.1'],
    ['a nested array', [['expense.created']], 'events.0'],
  ])('POST /webhooks rejects events that are or contain %s', async (_how, events, field) => {
    const response = await shop.register({ events });
    expect([response.status, response.body, await stored()]).toEqual([400, errorBody('invalid_value', field), 0]);
  });
});
