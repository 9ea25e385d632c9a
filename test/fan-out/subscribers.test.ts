import { describe, expect, test } from '@jest/globals';
import { useDelivery } from '../support/delivery.ts';
import { changeExpense, createEndpoint, recordsOf, setAccountStatus, writeExpense } from '../support/records.ts';

// Guarantee 4 (docs/guarantees.md)

const t = useDelivery();

const api = async (method: string, path: string, body?: unknown) =>
  t.world.request(method, path, { key: await t.world.createKey(t.account.id), body });
const patch = (body: unknown) => api('PATCH', `/webhooks/${t.endpoint.id}`, body);
const fanOut = async () => t.pipeline.fanOut(await t.pipeline.changes());
const refs = () => t.pipeline.waiting.map(({ body }) => JSON.parse(body));

describe('a change', () => {
  test('a change stores one event and, for each endpoint that subscribes, a delivery record, and sends a message', async () => {
    const second = await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    await writeExpense(t.world, t.account.id);
    expect(await fanOut()).toEqual({ batchItemFailures: [] });
    const [one, ...more] = await t.records();
    const [two] = await recordsOf(t.world, second);
    expect([more.length, one?.id]).toEqual([0, two?.id]);
    expect(refs()).toEqual(
      expect.arrayContaining(
        [t.endpoint.id, second.id].map((endpoint) => ({ v: 1, account: t.account.id, endpoint, event: one?.id, run: 1, attempt: 0 })),
      ),
    );
    expect(refs()).toHaveLength(2);
    expect(t.pipeline.waiting.every(({ groupId, delaySeconds }) => groupId === t.account.id && !delaySeconds)).toBe(true);
  });

  test('a change stores a pending delivery record without attempts', async () => {
    await writeExpense(t.world, t.account.id);
    const created_at = t.isoAfter(0);
    await fanOut();
    const { data } = (await api('GET', `/webhooks/${t.endpoint.id}/events`)).body;
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
        type: 'expense.created',
        status: 'pending',
        attempts: 0,
        last_status_code: null,
        last_error: null,
        next_retry_at: null,
        last_attempt_at: null,
        delivered_at: null,
        failed_at: null,
        created_at,
      },
    ]);
  });

  test('a change of a type that an endpoint does not subscribe to stores no delivery record', async () => {
    const updates = await createEndpoint(t.world, t.account.id, t.receiver.hook().url, { events: ['expense.updated', 'order.created'] });
    const { id } = await writeExpense(t.world, t.account.id);
    await fanOut();
    expect(await recordsOf(t.world, updates)).toEqual([]);
    await changeExpense(t.world, t.account.id, id, { amount: 20 });
    await fanOut();
    expect((await recordsOf(t.world, updates)).map(({ type }) => type)).toEqual(['expense.updated']);
  });

  test('a change stores no event if no endpoint of its account subscribes', async () => {
    const other = await t.world.createAccount();
    await writeExpense(t.world, other.id);
    t.world.wire.reset();
    await fanOut();
    expect(t.world.wire.calls.map(({ operation }) => operation).sort()).toEqual(['BatchGetItem', 'Query']);
    expect(t.pipeline.waiting).toEqual([]);
  });

  test('a change is sent with the time of the change, even if it is sent late', async () => {
    await writeExpense(t.world, t.account.id);
    const changes = await t.pipeline.changes();
    t.world.clock.advance(3_600_000);
    await t.pipeline.fanOut(changes);
    await t.pipeline.drain();
    const { created } = JSON.parse(t.hook.requests[0]?.body.toString() ?? '');
    const moments = changes.map(({ dynamodb }) => Math.floor(Number(dynamodb?.ApproximateCreationDateTime)));
    expect([created, Number.isInteger(created)]).toEqual([moments[0], true]);
  });
});

describe('an endpoint', () => {
  test('an endpoint receives no change from before it was registered', async () => {
    await writeExpense(t.world, t.account.id);
    t.world.clock.advance(1);
    const late = await createEndpoint(t.world, t.account.id, t.receiver.hook().url);
    await fanOut();
    expect(await recordsOf(t.world, late)).toEqual([]);
  });

  test('an endpoint receives a change of the same millisecond', async () => {
    const { id } = (await api('POST', '/webhooks', { url: t.receiver.hook().url, events: ['expense.created'] })).body;
    await writeExpense(t.world, t.account.id);
    await fanOut();
    expect(await recordsOf(t.world, { account: t.account.id, id })).toHaveLength(1);
  });

  test('an endpoint receives no change from while it is disabled, even after it is enabled', async () => {
    await patch({ enabled: false });
    await writeExpense(t.world, t.account.id);
    await fanOut();
    t.world.clock.advance(1);
    await patch({ enabled: true });
    await t.pipeline.drain();
    expect([await t.records(), t.pipeline.waiting]).toEqual([[], []]);
  });

  test('an endpoint receives no change from while it was disabled, even if it is enabled before fan-out reads it', async () => {
    await patch({ enabled: false });
    await writeExpense(t.world, t.account.id);
    t.world.clock.advance(1);
    await patch({ enabled: true });
    await fanOut();
    expect(await t.records()).toEqual([]);
  });

  test('an endpoint receives a change from before it was disabled; the delivery fails when it is due', async () => {
    await writeExpense(t.world, t.account.id);
    t.world.clock.advance(1);
    await patch({ enabled: false });
    await t.pipeline.drain();
    expect(await t.record()).toMatchObject({ status: 'failed', last_error: 'endpoint_disabled', attempts: 0 });
  });

  test('an endpoint receives no change after it was deleted', async () => {
    await writeExpense(t.world, t.account.id);
    await api('DELETE', `/webhooks/${t.endpoint.id}`);
    await fanOut();
    expect(await t.records()).toEqual([]);
  });
});

describe('an account', () => {
  test.each(['active', 'grace', 'suspended'] as const)('an account with status %s sends events', async (status) => {
    const account = await t.world.createAccount({ status });
    const endpoint = await createEndpoint(t.world, account.id, t.receiver.hook().url);
    await writeExpense(t.world, account.id);
    await t.pipeline.drain();
    expect((await recordsOf(t.world, endpoint)).map(({ status }) => status)).toEqual(['delivered']);
  });

  test.each(['free', 'starter', 'business'] as const)(
    'an account on the plan %s sends events, because plans restrict only the REST API',
    async (plan) => {
      const account = await t.world.createAccount({ plan });
      const endpoint = await createEndpoint(t.world, account.id, t.receiver.hook().url);
      await writeExpense(t.world, account.id);
      await t.pipeline.drain();
      expect((await recordsOf(t.world, endpoint)).map(({ status }) => status)).toEqual(['delivered']);
    },
  );

  test('an account that is closed sends no events', async () => {
    const account = await t.world.createAccount();
    const endpoint = await createEndpoint(t.world, account.id, t.receiver.hook().url);
    await setAccountStatus(t.world, account.id, 'closed');
    await writeExpense(t.world, account.id);
    await t.pipeline.drain();
    expect(await recordsOf(t.world, endpoint)).toEqual([]);
  });
});

test('every change of an expense is one event, and their ids sort in the order of the changes', async () => {
  const { body } = await api('POST', '/expenses', { amount: 1, date: '2026-03-01', category: 'rent' });
  for (const amount of [2, 3]) {
    t.world.clock.advance(1);
    await changeExpense(t.world, t.account.id, body.id, { amount });
  }
  await t.pipeline.drain();
  const events = t.hook.requests.map((request) => JSON.parse(request.body.toString())).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(events.map(({ type, data }) => [type, data.object.amount])).toEqual([
    ['expense.created', 1],
    ['expense.updated', 2],
    ['expense.updated', 3],
  ]);
});
