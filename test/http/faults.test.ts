import { afterEach, describe, expect, test } from '@jest/globals';
import { routeOf } from '../../functions/groups.ts';
import { brokenConnection, loseResponse, rejectWith, transactionConflict } from '../support/faults.ts';
import { createTenant, leftovers, sampleBody, send, type Tenant } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld, type TestResponse, type World } from '../support/world.ts';

// Guarantee 1 (docs/guarantees.md)

const world = shared(startWorld);
afterEach(() => world.wire.intercept(undefined));

const create = routeOf('createExpense');
/** Calls with a key that is new to the function. */
const calls = ['key', 'bucket', 'reads', 'commit'] as const;
const operations = ['BatchGetItem', 'UpdateItem', 'BatchGetItem', 'TransactWriteItems'] as const;

const post = ({ key }: Tenant, headers: Record<string, string> = { 'Idempotency-Key': 'k' }) =>
  send(world, create, { key, body: sampleBody(create), headers });

const created = async ({ key }: Tenant): Promise<string[]> =>
  (await send(world, routeOf('listExpenses'), { key })).body.data.map(({ id }: { id: string }) => id);

type Fault = Parameters<NonNullable<Parameters<World['wire']['intercept']>[0]>>;

/** Makes the call with this index fail, including its repetitions by the SDK. */
const inject = (index: number, fault: (...args: Fault) => ReturnType<Fault[1]>, rounds = Number.POSITIVE_INFINITY): void => {
  let count = 0;
  let target = '';
  let remaining = rounds;
  world.wire.intercept((call, send) => {
    const identity = JSON.stringify([call.operation, call.input]);
    if (count++ === index) target = identity;
    return identity === target && remaining-- > 0 ? fault(call, send) : send();
  });
};

/**
 * Expects that the caller learns nothing of the failure, and that the log has everything but the
 * request.
 */
const expectFailure = (response: TestResponse, name: string): void => {
  expect([response.status, response.body]).toEqual([
    500,
    { error: { type: 'api_error', code: 'internal_error', message: 'The service failed. Repeat the request.' } },
  ]);
  expect(JSON.stringify(response)).not.toMatch(/internals|dynamo|aws/i);
  const lines = world.log.filter(({ rid }) => rid === response.headers['X-Request-Id']);
  expect(lines).toEqual([expect.objectContaining({ status: 500, code: 'internal_error', error: expect.objectContaining({ name }) })]);
};

const expectFirstAttempt = async (tenant: Tenant): Promise<void> => {
  const retry = await post(tenant);
  expect([retry.status, retry.headers['Idempotent-Replayed']]).toEqual([201, undefined]);
  expect(await created(tenant)).toEqual([retry.body.id]);
  expect(await post(tenant)).toMatchObject({ text: retry.text, headers: { 'Idempotent-Replayed': 'true' } });
};

describe.each(calls.map((call, index) => ({ call, index })))('the $call call', ({ call, index }) => {
  test(`the ${call} call is the expected DynamoDB operation`, async () => {
    const tenant = await createTenant(world);
    world.wire.reset();
    await post(tenant);
    expect(world.wire.calls[index]?.operation).toBe(operations[index]);
  });

  test(`the ${call} call is repeated if its response is lost once, and the request takes effect once`, async () => {
    const tenant = await createTenant(world);
    inject(index, (_, send) => loseResponse(send), 1);
    const response = await post(tenant);
    expect(response.status).toBe(201);
    expect(await created(tenant)).toEqual([response.body.id]);
    expect(await post(tenant)).toMatchObject({ text: response.text, headers: { 'Idempotent-Replayed': 'true' } });
  });

  // A throttled bucket is a 429 (throttled-buckets.test.ts).
  const throttled =
    call === 'bucket'
      ? []
      : ([
          ['ThrottlingException', 400],
          ['ProvisionedThroughputExceededException', 400],
        ] as const);
  test.each([...throttled, ['InternalServerError', 500], ['AccessDeniedException', 400]] as const)(
    `the ${call} call returns 500 after %s, logged once, and an immediate retry succeeds`,
    async (type, status) => {
      const tenant = await createTenant(world);
      inject(index, async () => rejectWith(type, {}, status));
      world.wire.reset();
      const response = await post(tenant);
      expect(leftovers(world).filter((name) => !name.startsWith('TransactWriteItems'))).toEqual([]);
      expectFailure(response, type);
      world.wire.intercept(undefined);
      await expectFirstAttempt(tenant);
    },
  );

  test(`the ${call} call returns 500 if it never reaches the table, and an immediate retry succeeds`, async () => {
    const tenant = await createTenant(world);
    inject(index, async () => Promise.reject(brokenConnection()));
    expectFailure(await post(tenant), 'Error');
    world.wire.intercept(undefined);
    await expectFirstAttempt(tenant);
  });

  if (call !== 'commit') {
    test(`the ${call} call returns 500 if every response is lost, and an immediate retry succeeds`, async () => {
      const tenant = await createTenant(world);
      inject(index, (_, send) => loseResponse(send));
      expectFailure(await post(tenant), 'Error');
      world.wire.intercept(undefined);
      await expectFirstAttempt(tenant);
    });
  }
});

describe('a commit', () => {
  test('a commit succeeds if every response is lost, because the stored response is found', async () => {
    const tenant = await createTenant(world);
    inject(3, (_, send) => loseResponse(send));
    const response = await post(tenant);
    expect(response.status).toBe(201);
    expect(response.headers).not.toHaveProperty('Idempotent-Replayed');
    expect(await created(tenant)).toEqual([response.body.id]);
  });

  test.each([
    ['in an outage that follows its landing', true],
    ['in an outage that precedes it', false],
  ])('a commit returns 500 after %s, and an immediate retry finds exactly one record', async (_, lands) => {
    const tenant = await createTenant(world);
    let count = 0;
    world.wire.intercept(async (_call, send) => {
      if (count++ < 3) return send();
      return lands && count === 4 ? loseResponse(send) : Promise.reject(brokenConnection());
    });
    expectFailure(await post(tenant), 'Error');
    world.wire.intercept(undefined);
    const retry = await post(tenant);
    expect([retry.status, retry.headers['Idempotent-Replayed']]).toEqual([201, lands ? 'true' : undefined]);
    expect(await created(tenant)).toEqual([retry.body.id]);
  });

  test('a commit without an Idempotency-Key is made once if its response is lost', async () => {
    const tenant = await createTenant(world);
    let lost = false;
    world.wire.intercept((call, send) => {
      if (lost || call.operation !== 'PutItem') return send();
      lost = true;
      return loseResponse(send);
    });
    const response = await post(tenant, {});
    expect([response.status, lost]).toEqual([201, true]);
    expect(await created(tenant)).toEqual([response.body.id]);
  });

  /** Fails the first `rounds` calls of an operation with a conflict. */
  const storm = (operation: string, rounds: number, conflict: () => ReturnType<Fault[1]>) => {
    let met = 0;
    world.wire.intercept(async (call, send) => (call.operation === operation && met++ < rounds ? conflict() : send()));
    return () => met;
  };

  test.each([1, 2, 6])('a commit succeeds after %i conflicts', async (rounds) => {
    const tenant = await createTenant(world);
    storm('TransactWriteItems', rounds, transactionConflict);
    const response = await post(tenant);
    expect(response.status).toBe(201);
    expect(await created(tenant)).toEqual([response.body.id]);
  });

  test.each([
    ['ThrottlingError', 3],
    ['ProvisionedThroughputExceeded', 3],
  ])('a commit that is cancelled because of %s succeeds later', async (Code, rounds) => {
    const tenant = await createTenant(world);
    storm('TransactWriteItems', rounds, () =>
      rejectWith('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code }] }),
    );
    expect((await post(tenant)).status).toBe(201);
  });

  const onOthers = () =>
    rejectWith('TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }] });

  test.each([
    ['on its own key: 409 request_in_flight', transactionConflict, 409, 'request_in_flight'],
    ['on its other writes: 500', onOthers, 500, 'internal_error'],
  ])(
    'a commit gives up within 5 seconds if conflicts do not end, %s, and its Idempotency-Key is free',
    async (_, conflict, status, code) => {
      const tenant = await createTenant(world);
      const rounds = storm('TransactWriteItems', Number.POSITIVE_INFINITY, conflict);
      const startMs = world.clock.now();
      const response = await post(tenant);
      expect([response.status, response.body.error.code]).toEqual([status, code]);
      const tookMs = world.clock.now() - startMs;
      expect(tookMs).toBeGreaterThan(4_000);
      expect(tookMs).toBeLessThanOrEqual(5_000);
      expect(rounds()).toBeGreaterThan(10);
      world.wire.intercept(undefined);
      await expectFirstAttempt(tenant);
    },
  );

  test('a commit that succeeded, lost its response and then meets a conflict is not made again', async () => {
    const { key } = await createTenant(world);
    const body = { ...sampleBody(routeOf('createOrder')), customer: { name: 'Ada', email: 'ada@example.com' } };
    const order = async () => (await send(world, routeOf('createOrder'), { key, body })).body.customer_id as string;
    await order();
    let calls = 0;
    world.wire.intercept(async ({ operation }, sendOn) => {
      if (operation !== 'TransactWriteItems') return sendOn();
      calls += 1;
      if (calls === 1) return loseResponse(sendOn);
      return calls === 2 ? transactionConflict() : sendOn();
    });
    const customer = await order();
    world.wire.intercept(undefined);
    expect(calls).toBe(3);
    expect((await world.request('GET', `/customers/${customer}`, { key })).body.total_orders).toBe(2);
  });

  test('a commit that is cancelled for a reason that no retry can fix fails at once', async () => {
    const tenant = await createTenant(world);
    const rounds = storm('TransactWriteItems', Number.POSITIVE_INFINITY, () =>
      rejectWith('TransactionCanceledException', { CancellationReasons: [{ Code: 'ValidationError' }, { Code: 'None' }] }),
    );
    expectFailure(await post(tenant), 'TransactionCanceledException');
    expect(rounds()).toBe(1);
  });
});

test('each request returns 500, logged once, if the table is down', async () => {
  const { key } = await createTenant(world);
  world.wire.intercept(async () => Promise.reject(brokenConnection()));
  for (const operation of ['listExpenses', 'createExpense', 'listExpenseCategories', 'deleteWebhook'])
    expectFailure(await send(world, routeOf(operation), { key }), 'Error');
});
