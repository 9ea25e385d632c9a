import { describe, expect, test } from '@jest/globals';
import { saveProduct, writeProduct } from '../support/products.ts';
import { writeExpense } from '../support/records.ts';
import { searchSettings } from '../support/requests.ts';
import { collection, useSearch } from './shop.ts';

const t = useSearch();

const fanOut = async () => {
  const { batchItemFailures } = await t.pipeline.fanOut(await t.pipeline.changes());
  expect(batchItemFailures).toEqual([]);
};
const flow = async () => {
  await fanOut();
  expect(await t.invoke(t.pipeline.searches.map(({ body }) => body))).toEqual([]);
};

describe('fan-out', () => {
  test('fan-out sends a message for every change of a product; it names only account and product', async () => {
    const { id } = await writeProduct(t.world, t.account);
    await saveProduct(t.world, t.account, id);
    await saveProduct(t.world, t.account, id, { status: 'deleted' });
    await fanOut();
    const message = { groupId: t.account, body: JSON.stringify({ v: 1, account: t.account, product: id }) };
    expect(t.pipeline.searches).toEqual([message, message, message]);
  });

  test('fan-out sends the message of a product even if the account has no webhooks', async () => {
    const closed = (await t.world.createAccount({ status: 'closed' })).id;
    await t.configure(closed);
    await writeProduct(t.world, closed);
    await fanOut();
    expect(t.pipeline.searches).toHaveLength(1);
    expect(t.pipeline.waiting).toEqual([]);
  });

  test.each([
    ['without settings', undefined],
    ['without search', {}],
    ['with search that is null', { search: null }],
    ['that only searches', { search: searchSettings }],
  ])('fan-out sends no message for an account %s', async (_title, settings) => {
    const account = (await t.world.createAccount()).id;
    if (settings) await t.world.store.commit([t.world.store.accounts.putSettingsWrite(account, settings)]);
    await writeProduct(t.world, account);
    await fanOut();
    expect(t.pipeline.searches).toEqual([]);
  });

  test('fan-out reports the first record if the search queue rejected its message, so that the stream repeats it', async () => {
    await writeProduct(t.world, t.account);
    const changes = await t.pipeline.changes();
    t.pipeline.gate(async (step, run) => {
      if (step === 'searchQueue') throw new Error('down');
      return await run();
    });
    const failed = [{ itemIdentifier: changes[0]?.dynamodb?.SequenceNumber }];
    expect(await t.pipeline.fanOut(changes)).toEqual({ batchItemFailures: failed });
    t.pipeline.gate(undefined);
    expect(await t.pipeline.fanOut(changes)).toEqual({ batchItemFailures: [] });
    expect(t.pipeline.searches).toHaveLength(1);
  });

  test('fan-out reads settings once per batch with products, and not for other changes', async () => {
    await writeExpense(t.world, t.account);
    const settingsReads = () => t.world.wire.calls.filter(({ input }) => JSON.stringify(input).includes(`set#${t.account}`)).length;
    t.world.wire.reset();
    await fanOut();
    expect(settingsReads()).toBe(0);
    for (let i = 0; i < 3; i++) await writeProduct(t.world, t.account);
    t.world.wire.reset();
    await fanOut();
    expect(settingsReads()).toBe(1);
  });
});

test("a product saved in the dashboard is found with a shopper's token of the same account, until the token expires", async () => {
  const neighbour = (await t.world.createAccount()).id;
  await t.configure(neighbour);
  const theirs = await writeProduct(t.world, neighbour, { name: 'Theirs' });
  const shown = await writeProduct(t.world, t.account, { name: 'Shown' });
  const hidden = await writeProduct(t.world, t.account, { name: 'Hidden', hidden: true });
  await writeProduct(t.world, t.account, { name: 'Draft', status: 'draft' });
  const leaving = await writeProduct(t.world, t.account, { name: 'Leaving' });
  await flow();

  const key = await t.world.createKey(t.account, { type: 'publishable' });
  const { token } = (await t.world.request('POST', '/products/search-token', { key })).body;
  const find = (nowMs = t.world.clock.now(), added = {}) =>
    t.engine
      .search(collection, token, searchSettings.search_key, nowMs, added)
      .map(({ name }) => name)
      .sort();
  expect(find()).toEqual(['Leaving', 'Shown']);
  const pinned_hits = `${hidden.id}:1,${theirs.id}:2`;
  for (const added of [{ pinned_hits }, { pinned_hits, filter_curated_hits: false, filter_by: `account:=${neighbour}` }])
    expect(find(undefined, added)).toEqual('filter_by' in added ? [] : ['Leaving', 'Shown']);

  await saveProduct(t.world, t.account, leaving.id, { status: 'deleted' });
  await saveProduct(t.world, t.account, shown.id, { name: 'Renamed' });
  await flow();
  expect(find()).toEqual(['Renamed']);
  expect(() => find(t.world.clock.now() + 900_000)).toThrow('expired');
});
