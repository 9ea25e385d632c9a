import { beforeAll, expect, test } from '@jest/globals';
import { follow } from '../../ops/invoke.ts';
import { removeIndexKeys } from '../support/index-keys.ts';
import { allItems } from '../support/person.ts';
import { shared } from '../support/shared.ts';
import { type Bakery, openBakery, startBakeries } from './bakery.ts';

const service = shared(startBakeries);
let bakery: Bakery;
beforeAll(async () => {
  bakery = await openBakery(service);
  await service.pipeline.clear();
});

const lists = [
  '/orders',
  '/orders?external_id=crm-geheim-77',
  '/orders?sort=updatedAt',
  '/customers?external_id=crm-geheim-77',
  '/customers?updated_after=2020-01-01',
  '/products',
  '/expenses',
];
const shown = () => Promise.all(lists.map(async (path) => (await bakery.call('GET', path)).body.data.map(({ id }: { id: string }) => id)));
const reindex = () => follow('account.reindex', (input) => service.act('account.reindex', bakery.account, input), {});
const records = async () =>
  Object.fromEntries((await allItems(service.world)).map(({ key, item }) => [key, { revision: item['revision'], view: item['view'] }]));

test('account.reindex brings records without index keys back into every list, and emits no event', async () => {
  const [listed, stored] = [await shown(), await records()];
  for (const list of listed) expect(list).not.toEqual([]);
  const removed = await removeIndexKeys(service.world, bakery.account);
  expect((await shown()).flat()).toEqual([]);
  await service.pipeline.clear();

  const result = (await reindex()) as { read: number; written: number };
  expect(result).toMatchObject({ read: removed, has_more: false, next_cursor: null });
  expect([await shown(), await records()]).toEqual([listed, stored]);
  await service.pipeline.fanOut(await service.pipeline.changes());
  expect([...service.pipeline.waiting]).toEqual([]);

  expect(await reindex()).toMatchObject({ read: removed, written: 0 });
});

test('account.reindex rejects a cursor of another account', async () => {
  expect(await service.errorOf('account.reindex', bakery.account, { cursor: 'x' })).toMatchObject({
    status: 400,
    code: 'invalid_cursor',
    field: 'cursor',
  });
});
