import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { actions } from '../../functions/actions/app.ts';
import { actionTable } from '../../functions/actions/index.ts';
import { deliver } from '../../functions/deliver/app.ts';
import { fanOut } from '../../functions/fan-out/app.ts';
import { searchSync } from '../../functions/search-sync/app.ts';
import { sweep } from '../../functions/sweep/app.ts';
import { type FunctionName, functionNames, specOf } from '../../lib/functions.ts';
import { randomId } from '../../shared/core/ids.ts';
import { encodeSearchMessage } from '../../shared/domain/search-message.ts';
import { type DeliveryRecord, pendingDelivery } from '../../shared/domain/webhook.ts';
import { type Kind, kinds } from '../../shared/table/schema.ts';
import { encodeMessage } from '../../shared/webhooks/message.ts';
import { answered } from '../../shared/webhooks/outcome.ts';
import { approveCard, openCounter, successUrl } from '../checkout-page/page.ts';
import { openOperatedQueues } from '../support/operated-queues.ts';
import { writeProduct } from '../support/products.ts';
import { createTenant, routeOf, sampleBody, searchSettings } from '../support/requests.ts';
import { orderItemOf, writeCustomer, writeOrder } from '../support/shop.ts';
import type { WireCall } from '../support/wire.ts';
import { startWorld, type World } from '../support/world.ts';
import { allows, type Statement, statementsOf, type TableRequest } from './iam.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

let world: World;
let rights: Record<FunctionName, Statement[]>;
let arns: Record<string, string>;
beforeAll(async () => {
  const template = synthesize().templates.us;
  rights = Object.fromEntries(functionNames.map((name) => [name, statementsOf(template, name)])) as Record<FunctionName, Statement[]>;
  const tableIds = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'));
  world = await startWorld();
  arns = {
    [world.tables.tableName]: `<${tableIds.find((id) => id.startsWith('DataTable'))}.Arn>`,
    [world.tables.bucketsTableName]: `<${tableIds.find((id) => id.startsWith('DataBuckets'))}.Arn>`,
  };
});
afterAll(() => world.stop());

interface Operand {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: { readonly pk: { readonly S: string } };
  readonly Item?: { readonly pk: { readonly S: string } };
  readonly ExpressionAttributeValues?: Readonly<Record<string, { readonly S?: string }>>;
}

const requestOf = (verb: string, operand: Operand): TableRequest & { readonly isData: boolean } => {
  const key = operand.Key?.pk.S ?? operand.Item?.pk.S ?? operand.ExpressionAttributeValues?.[':pk']?.S;
  return {
    action: `dynamodb:${verb}`,
    resource: `${arns[operand.TableName]}${operand.IndexName ? `/index/${operand.IndexName}` : ''}`,
    leadingKeys: key === undefined ? undefined : [key],
    isData: operand.TableName === world.tables.tableName,
  };
};

/** The single requests that IAM judges; a transaction and a batch are judged part by part. */
const requestsOf = ({ operation, input }: WireCall) => {
  if (operation === 'BatchGetItem')
    return Object.entries(input['RequestItems'] as Record<string, { readonly Keys: NonNullable<Operand['Key']>[] }>).flatMap(
      ([TableName, { Keys }]) => Keys.map((Key) => requestOf(operation, { TableName, Key })),
    );
  return operation === 'TransactWriteItems'
    ? (input['TransactItems'] as Record<string, Operand>[]).flatMap((part) =>
        Object.entries(part).map(([verb, operand]) => requestOf(verb === 'ConditionCheck' ? 'ConditionCheckItem' : `${verb}Item`, operand)),
      )
    : [requestOf(operation, input as unknown as Operand)];
};

const kindOf = (key: string): Kind | undefined => (Object.keys(kinds) as Kind[]).find((kind) => key.startsWith(`${kinds[kind]}#`));

const describeRight = (verb: string, kind: string, index?: string): string => `${verb} ${kind}${index ? ` on ${index}` : ''}`;

/** Runs the work under the rights of a function, refusing what IAM would refuse; the rights it used. */
const usedBy = async (name: FunctionName, work: () => Promise<void>): Promise<string[]> => {
  const used = new Set<string>();
  const refused: string[] = [];
  world.wire.intercept(async (call, send) => {
    for (const request of requestsOf(call)) {
      const verb = request.action.replace('dynamodb:', '');
      const right = describeRight(verb, kindOf(request.leadingKeys?.[0] ?? '') ?? '?', request.resource.split('/index/')[1]);
      if (request.isData) used.add(right);
      if (!allows(rights[name], request)) refused.push(request.isData ? right : `${verb} on the buckets`);
    }
    if (refused.length > 0) throw new Error(`AccessDenied: ${name} may not ${refused.join(', ')}`);
    return await send();
  });
  try {
    await work();
  } finally {
    world.wire.intercept(undefined);
  }
  expect(refused).toEqual([]);
  return [...used].sort();
};

const grantedTo = (name: FunctionName): string[] =>
  specOf(name)
    .table.flatMap((grant) =>
      grant.kinds.flatMap((kind) =>
        grant.actions.flatMap((action) => (grant.indexes ?? [undefined]).map((index) => describeRight(action, kind, index))),
      ),
    )
    .sort();

const expense = { amount: 12.5, date: '2026-03-01', category: 'packaging', supplier: { id: 'sup_1', name: 'Boxes' } };
const createAccountWithKey = async () => {
  const account = await world.createAccount();
  return { account: account.id, key: await world.createKey(account.id) };
};

const createEndpoint = async (key: string): Promise<string> => {
  const { body } = await world.request('POST', '/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/a', events: ['expense.created'] },
  });
  return body.id;
};

const createDelivery = async (account: string, endpoint: string, dueMs = world.clock.now()): Promise<DeliveryRecord> => {
  const nowMs = world.clock.now();
  const id = randomId('evt', nowMs);
  await world.store.events.create({ id, account, type: 'expense.created', body: '{}', createdMs: nowMs });
  return await world.store.deliveries.create(pendingDelivery({ id, account, endpoint, type: 'expense.created' }, nowMs), dueMs);
};

const silent = { log: () => {}, queue: { send: async () => {} } };

const flows: Record<FunctionName, () => Promise<() => Promise<void>>> = {
  async checkout() {
    const { key } = await createTenant(world);
    return async () => {
      const headers = { 'Idempotency-Key': 'first' };
      const body = sampleBody(routeOf('createCheckout'));
      expect((await world.request('POST', '/checkout', { key, body, headers })).status).toBe(201);
      expect((await world.request('POST', '/checkout', { key, body: { ...body, notes: 'x' }, headers })).status).toBe(422);
      const other = { 'Idempotency-Key': 'other' };
      const unknown = { ...body, items: [{ product_id: 'prd_unknown', quantity: 1 }] };
      expect((await world.request('POST', '/checkout', { key, body: unknown, headers: other })).status).toBe(400);
    };
  },
  async 'checkout-page'() {
    const counter = await openCounter(world);
    const second = await openCounter(world, { shop: counter.shop });
    return async () => {
      await counter.visit('GET', counter.path);
      expect((await counter.pay(approveCard)).headers['Location']).toBe(successUrl);
      expect((await second.pay(approveCard)).headers['Location']).toBe(successUrl);
    };
  },
  async customers() {
    const { key } = await createAccountWithKey();
    const closedKey = await world.createKey((await world.createAccount({ status: 'closed' })).id);
    return async () => {
      const headers = { 'Idempotency-Key': 'first' };
      const { body: created } = await world.request('POST', '/customers', { key, body: sampleBody(routeOf('createCustomer')), headers });
      await world.request('POST', '/customers', { key: closedKey, body: { last_name: 'Baker' }, headers });
      await world.request('GET', `/customers/${created.id}`, { key });
      for (const order of ['', '&updated_after=2026-01-01'])
        for (const filter of ['', `&email=${created.email}`]) await world.request('GET', `/customers?${order}${filter}`, { key });
    };
  },
  async expenses() {
    const { key } = await createAccountWithKey();
    const closedKey = await world.createKey((await world.createAccount({ status: 'closed' })).id);
    return async () => {
      const headers = { 'Idempotency-Key': 'first' };
      const { body: created } = await world.request('POST', '/expenses', { key, body: expense, headers });
      await world.request('POST', '/expenses', { key, body: expense, headers });
      // A refusal gives its lock back.
      await world.request('POST', '/expenses', { key: closedKey, body: expense, headers });
      await world.request('GET', `/expenses/${created.id}`, { key });
      for (const order of ['date', 'updated_at'])
        for (const filter of ['', '&category=packaging', '&status=submitted', '&supplier_id=sup_1'])
          await world.request('GET', `/expenses?order_by=${order}${filter}`, { key });
    };
  },
  async products() {
    const { key } = await createAccountWithKey();
    const shopper = await world.createKey((await createAccountWithKey()).account, { type: 'publishable' });
    return async () => {
      await world.request('GET', '/products/prd_unknown', { key });
      await world.request('POST', '/products/search-token', { key });
      for (const who of [key, shopper])
        for (const query of ['', 'category=cakes', 'updated_after=2026-01-01', 'updated_after=2026-01-01&category=cakes'])
          await world.request('GET', `/products?${query}`, { key: who });
    };
  },
  async orders() {
    const { key, account } = await createTenant(world);
    const settings = { custom_fields: [{ id: 'theme', scopes: ['order'] }] };
    await world.store.commit([world.store.accounts.putSettingsWrite(account.id, settings)]);
    return async () => {
      const items = [{ product_id: 'prd_sample', quantity: 2 }];
      const customer = { email: 'ada@example.com' };
      const body = { items, customer, payments: [{ amount: 5, method: 'cash' }], custom_fields: { theme: 'Lilac' } };
      const { body: made } = await world.request('POST', '/orders', { key, body, headers: { 'Idempotency-Key': 'first' } });
      expect((await world.request('POST', '/orders', { key, body })).status).toBe(201);
      const refused = { ...body, items: [] };
      await world.request('POST', '/orders', { key, body: refused, headers: { 'Idempotency-Key': 'first' } });
      const unknown = { ...body, customer: { id: 'cus_unknown' } };
      await world.request('POST', '/orders', { key, body: unknown, headers: { 'Idempotency-Key': 'other' } });
      expect((await world.request('GET', `/orders/${made.id}`, { key })).body.payments).toHaveLength(1);
      for (const sort of ['createdAt', 'updatedAt', 'deliveryDate'])
        for (const filter of ['', '&status=pending', '&payment_status=pending', `&customer_id=${made.customer_id}`])
          await world.request('GET', `/orders?sort=${sort}${filter}`, { key });
    };
  },
  async reference() {
    const { key } = await createAccountWithKey();
    return async () => {
      await world.request('GET', '/reference/time-slots', { key });
    };
  },
  async webhooks() {
    const { account, key } = await createAccountWithKey();
    const logged = await createEndpoint(key);
    for (const _ of [1, 2]) await createDelivery(account, logged);
    return async () => {
      const body = { url: 'https://hooks.example.com/b', events: ['expense.created'] };
      const { body: created } = await world.request('POST', '/webhooks', { key, body, headers: { 'Idempotency-Key': 'first' } });
      await world.request('POST', '/webhooks', { key, body, headers: { 'Idempotency-Key': 'refused' } });
      await world.request('GET', '/webhooks', { key });
      await world.request('GET', `/webhooks/${created.id}`, { key });
      await world.request('PATCH', `/webhooks/${created.id}`, { key, body: { url: 'http://127.0.0.1:1/' } });
      await world.request('POST', `/webhooks/${created.id}/rotate-secret`, { key });
      await world.request('POST', `/webhooks/${created.id}/test`, { key });
      await world.request('GET', `/webhooks/${logged}/events?status=pending`, { key });
      const { body: page } = await world.request('GET', `/webhooks/${logged}/events?limit=1`, { key });
      await world.request('GET', `/webhooks/${logged}/events?limit=1&cursor=${page.pagination.next_cursor}`, { key });
      await world.request('DELETE', `/webhooks/${created.id}`, { key });
    };
  },
  async fallback() {
    return async () => {
      await world.request('GET', '/nothing');
    };
  },
  async 'fan-out'() {
    const { account, key } = await createAccountWithKey();
    await createEndpoint(key);
    world.wire.reset();
    await world.request('POST', '/expenses', { key, body: expense });
    await writeProduct(world, account);
    const images = world.wire.calls
      .filter(({ operation }) => operation === 'PutItem')
      .map(({ input }) => input['Item'] as Record<string, object>);
    const records = images.map((image, i) => ({
      eventID: `change-${i}`,
      eventName: 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: world.clock.now() / 1000,
        SequenceNumber: String(i),
        Keys: { pk: image['pk'], sk: image['sk'] },
        NewImage: image,
      },
    })) as DynamoDBRecord[];
    expect(records).toHaveLength(2);
    const handler = fanOut({
      ...world,
      ...silent,
      searchQueue: silent.queue,
      parking: { park: async () => {}, fetch: async () => undefined },
    });
    return async () => {
      // Twice: the second time every record stands already.
      for (const _ of [1, 2]) expect(await handler({ Records: records })).toEqual({ batchItemFailures: [] });
    };
  },
  async deliver() {
    const { account, key } = await createAccountWithKey();
    const endpoint = await createEndpoint(key);
    const [kept, failing] = [await createDelivery(account, endpoint), await createDelivery(account, endpoint)];
    const sender = { send: async ({ url }: { url: string }) => answered(url.includes('never') ? 200 : 500, 1), close: () => {} };
    const handler = deliver({ ...world, ...silent, sender, scheduler: { schedule: async () => {} } });
    return async () => {
      for (const { id } of [kept, failing, kept]) {
        const body = encodeMessage({ account, endpoint, event: id, run: 1, attempt: 0 });
        expect(await handler({ Records: [{ messageId: '1', body } as SQSRecord] })).toEqual({ batchItemFailures: [] });
      }
    };
  },
  async 'search-sync'() {
    const { account } = await createAccountWithKey();
    await world.store.commit([world.store.accounts.putSettingsWrite(account, { search: { ...searchSettings, admin_key: 'admin' } })]);
    const { id } = await writeProduct(world, account);
    const handler = searchSync({ ...world, ...silent, sender: { send: async () => answered(201, 1), close: () => {} } });
    return async () => {
      const body = encodeSearchMessage({ account, product: id });
      expect(await handler({ Records: [{ messageId: '1', body } as SQSRecord] })).toEqual({ batchItemFailures: [] });
    };
  },
  async sweep() {
    const { account, key } = await createAccountWithKey();
    await createDelivery(account, await createEndpoint(key), world.clock.now() - 3_600_000);
    const handler = sweep({ ...world, ...silent });
    return async () => {
      expect((await handler()).requeued).toBeGreaterThan(0);
    };
  },
  async actions() {
    const operated = await openOperatedQueues(world.clock);
    const { account, key } = await createAccountWithKey();
    const endpoint = await createEndpoint(key);
    const { id: event_id } = await createDelivery(account, endpoint);
    const customer = await writeCustomer(world, account);
    const order = await writeOrder(world, account, { items: [orderItemOf({ product_id: 'prd_agreed' })] }, customer);
    const run = actions({
      ...world,
      ...silent,
      region: 'us',
      newId: randomId,
      queues: operated.queues,
      sender: { send: async () => answered(200, 1), close: () => {} },
      parking: { fetch: async () => '{}' },
      replay: async () => {},
    });
    const called = new Set<string>();
    const withoutAccount = new Set(Object.entries(actionTable).flatMap(([name, action]) => (action.account === 'none' ? [name] : [])));
    const act = async (action: string, input: object): Promise<{ readonly id: string }> => {
      called.add(action);
      const answer = await run({ action, ...(withoutAccount.has(action) ? {} : { account }), input });
      expect([action, answer]).toEqual([action, expect.objectContaining({ ok: true })]);
      return (answer as { result: { id: string } }).result;
    };
    return async () => {
      await act('account.create', { name: 'Another', plan: 'business' });
      await act('account.get', { id: account });
      await act('account.update', { id: account, plan: 'starter' });
      await act('settings.put', { event_categories: [] });
      await act('settings.get', {});
      const { id: keyId } = await act('key.create', { type: 'secret', group: 'readOnly', name: 'Till' });
      await act('key.list', {});
      await act('key.update', { id: keyId, name: 'Counter' });
      await act('key.revoke', { id: keyId });
      const { id: expenseId } = await act('expense.create', expense);
      await act('expense.update', { id: expenseId, amount: 13 });
      await act('expense.delete', { id: expenseId });
      await act('gateway_fee.record', { order_id: 'ord_1', order_label: '#1', gateway: 'stripe', amount: 0.3, date: '2026-03-01' });
      const { id: productId } = await act('product.create', { name: 'Tart', price: 4 });
      await act('product.update', { id: productId });
      await act('product.delete', { id: productId });
      await act('order.update', { id: order.id, items: [{ product_id: 'prd_agreed', quantity: 1 }] });
      await act('order.set_status', { id: order.id, status: 'cancelled' });
      await act('order.delete', { id: order.id });
      await act('customer.update', { id: customer.id, email: 'moved@example.com' });
      const { id: paymentId } = await act('payment.create', { customer_id: customer.id, amount: 5, method: 'cash', status: 'completed' });
      await act('payment.correct_amount', { id: paymentId, amount: 6 });
      await act('payment.refund', { id: paymentId, amount: 1 });
      await act('payment.set_status', { id: paymentId, status: 'approved' });
      await act('payment.void', { id: paymentId });
      const { id: saleId } = await act('quick_sale.create', { gross_sales: 5 });
      await act('quick_sale.update', { id: saleId, gross_sales: 6 });
      await act('quick_sale.delete', { id: saleId });
      const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
      const { id: itemId } = await act('inventory.put', flour);
      await act('inventory.adjust', { id: itemId, delta: -1 });
      await act('webhook.redeliver', { endpoint_id: endpoint, event_id });
      await act('stream.replay', { key: 'stream/1.json' });
      await act('account.usage', {});
      const { id: hookId } = await act('webhook.create', { url: 'https://shop.example.com/hook', events: ['order.created'] });
      await act('webhook.update', { id: hookId, url: 'https://shop.example.com/other' });
      await act('webhook.delete', { id: hookId });
      await act('webhook.list', {});
      await act('webhook.test', { id: endpoint });
      await act('webhook.rotate_secret', { id: endpoint });
      await act('webhook.disable', { id: endpoint });
      await act('webhook.enable', { id: endpoint });
      await act('webhook.redeliver_failed', { endpoint_id: endpoint, since: '2020-01-01T00:00:00Z' });
      await act('delivery.find', { event_id });
      await act('delivery.get', { endpoint_id: endpoint, event_id });
      await act('delivery.list', { endpoint_id: endpoint });
      await act('delivery.list', { endpoint_id: endpoint, status: 'pending' });
      await act('delivery.requeue_overdue', {});
      await act('queue.status', {});
      await act('queue.peek', { queue: 'sweep-failures' });
      await act('queue.redrive', { queue: 'search-dead-letters' });
      await operated.queues['sweep-failures'].send([{ body: '{}', groupId: 'us' }]);
      const [failure] = ((await act('queue.peek', { queue: 'sweep-failures' })) as unknown as { data: { id: string }[] }).data;
      await act('queue.discard', { queue: 'sweep-failures', id: failure?.id });
      expect([...called].sort()).toEqual(Object.keys(actionTable).sort());
    };
  },
};

describe('rights on the data table', () => {
  test.each(functionNames)('%s uses all it has and needs no more', async (name) => {
    const work = await flows[name]();
    expect(await usedBy(name, work)).toEqual(grantedTo(name));
  });
});
