import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Client } from 'typesense';
import { scopedSearchKey } from '../../shared/domain/product/search.ts';
import { searchSettings } from '../support/requests.ts';
import { secretsOf } from '../support/secrets.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(() => startWorld({ secrets: secretsOf(parameters) }));
let account: string;
/** Values of the accounts' references. */
const parameters: Record<string, string> = {};
beforeEach(async () => {
  account = (await world.createAccount()).id;
});

/** Typesense's own client. Making scoped keys needs no connection. */
const official = new Client({ nodes: [{ host: 'localhost', port: 8108, protocol: 'http' }], apiKey: 'unused' });

const put = (settings: Record<string, unknown>) => world.store.commit([world.store.accounts.putSettingsWrite(account, settings)]);
const mint = async (type: 'secret' | 'publishable' = 'publishable', options: object = {}) =>
  world.request('POST', '/products/search-token', { key: await world.createKey(account, { type }), ...options });

/** Limits of a scoped key's searches: after the 44 characters of the digest and 4 of the key. */
const limitsOf = (token: string) => JSON.parse(Buffer.from(token, 'base64').toString().slice(48));

describe('a token', () => {
  beforeEach(() => put({ search: { ...searchSettings, admin_key: 'admin-key-secret' } }));

  test.each(['secret', 'publishable'] as const)('a token is returned for a %s key, with exactly the documented fields', async (type) => {
    world.clock.advance(317);
    const { status, body, headers } = await mint(type);
    expect(status).toBe(201);
    expect(body).toEqual({
      token: expect.any(String),
      expires_at: new Date(Math.floor(world.clock.now() / 1000) * 1000 + 900_000).toISOString(),
      provider: 'typesense',
      host: searchSettings.host,
      collection: searchSettings.collection,
    });
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-store' });
  });

  test("a token equals the one that Typesense's own client makes", async () => {
    const { token } = (await mint()).body;
    expect(token).toBe(official.keys().generateScopedSearchKey(searchSettings.search_key, limitsOf(token)));
  });

  test("a token finds this account's storefront only, whatever a search pins, for 15 minutes, whichever key asked", async () => {
    for (const type of ['secret', 'publishable'] as const)
      expect(limitsOf((await mint(type)).body.token)).toEqual({
        filter_by: `account:=${account} && storefront_visible:=true`,
        expires_at: Math.floor(world.clock.now() / 1000) + 900,
        filter_curated_hits: true,
        pinned_hits: '',
      });
  });

  test('a token shows neither the search key nor the admin key', async () => {
    const { text, body } = await mint();
    const shown = text + Buffer.from(body.token, 'base64').toString();
    expect(shown).not.toContain(searchSettings.search_key);
    expect(shown).not.toContain('admin-key-secret');
  });
});

test.each([
  ['no settings at all', undefined],
  ['settings without search', { payment_methods: [] }],
  ['search that is null', { search: null }],
])('POST /products/search-token returns 503 search_not_configured with %s', async (_title, settings) => {
  if (settings) await put(settings);
  const { status, body, headers } = await mint();
  expect(status).toBe(503);
  expect(body).toEqual({ error: { type: 'service_unavailable', code: 'search_not_configured', message: expect.any(String) } });
  expect(headers['Access-Control-Allow-Origin']).toBe('*');
});

test("every scoped key equals the one that Typesense's own client makes of the same key and limits", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), fc.integer({ min: 0 }), (key, filter_by, expires_at) => {
      const limits = { filter_by, expires_at };
      expect(scopedSearchKey(key, limits)).toBe(official.keys().generateScopedSearchKey(key, limits));
    }),
  );
});

describe('a search key that is a reference', () => {
  beforeEach(() => put({ search: { ...searchSettings, search_key: 'ssm:search/search_key' } }));

  test('a referenced search key gives the token of the secret that it names', async () => {
    parameters[`${account}/search/search_key`] = searchSettings.search_key;
    const { status, body } = await mint();
    expect(status).toBe(201);
    expect(body.token).toBe(official.keys().generateScopedSearchKey(searchSettings.search_key, limitsOf(body.token)));
  });

  test('a search key with a missing secret gives 503 search_not_configured; the log has the reason', async () => {
    const { status, body, text } = await mint();
    expect([status, body.error.code]).toEqual([503, 'search_not_configured']);
    expect(text).not.toContain('ssm:');
    expect(world.log.at(-1)).toMatchObject({ status: 503, why: `Parameter ${account}/search/search_key: 400 ParameterNotFound` });
  });
});
