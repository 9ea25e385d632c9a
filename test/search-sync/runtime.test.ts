import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { until } from '../support/delivery.ts';
import { type SearchEngine, startSearchEngine } from '../support/typesense.ts';

let runtime: Runtime;
let engine: SearchEngine;
beforeAll(async () => {
  engine = await startSearchEngine('admin', ['products']);
  runtime = await startRuntime({ regions: ['us'], allowLoopbackWebhooks: true });
});
afterAll(async () => {
  await runtime.stop();
  await engine.stop();
});

test('the local service keeps a collection up to date with the products of the dashboard', async () => {
  const act = async (action: string, account: string | undefined, input: Record<string, unknown>): Promise<Record<string, any>> => {
    const response = (await runtime.invokeAction('us', { action, ...(account ? { account } : {}), input })) as Record<string, any>;
    expect(response).toMatchObject({ ok: true });
    return response['result'];
  };
  const account = (await act('account.create', undefined, { name: 'Crumb', plan: 'business' }))['id'];
  const search = { provider: 'typesense', host: engine.host, collection: 'products', search_key: 'search', admin_key: 'admin' };
  await act('settings.put', account, { search });
  const { id } = await act('product.create', account, { name: 'Tart', price: 4 });
  await until(() => engine.documents('products').length === 1);
  expect(engine.documents('products')).toEqual([expect.objectContaining({ id, account, name: 'Tart' })]);
  await act('product.delete', account, { id });
  await until(() => engine.documents('products').length === 0);
});
