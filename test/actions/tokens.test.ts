import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { actionLockMs } from '../../shared/table/action-tokens.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { loseAnswer, standstillAt } from '../support/faults.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { writeCustomer } from '../support/shop.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { readyCalls } from './every-action.ts';

let dashboard: Dashboard;
let receiver: Receiver;
let account: string;
beforeAll(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  account = await dashboard.openAccount();
});
afterEach(() => dashboard.wire.intercept(undefined));
afterAll(() => Promise.all([dashboard.stop(), receiver.stop()]));

let serial = 0;
const newToken = (): string => `tokens-${++serial}`;
const call = (action: string, input: object, token: unknown, of: string | undefined = account) =>
  dashboard.call({ action, ...(of === undefined ? {} : { account: of }), input, token });
const errorOf = (answer: Awaited<ReturnType<Dashboard['call']>>) => (answer.ok ? answer : { status: answer.status, ...answer.body.error });
const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
const newItem = async (): Promise<string> => (await dashboard.act('inventory.put', account, flour))['id'];
const stockOf = async (id: string) => (await dashboard.services.store.inventory.get(account, id))?.record.current_stock;
const reused = { status: 422, type: 'idempotency_error', code: 'idempotency_key_reused', field: 'token' };

describe('what a token is', () => {
  test.each([[''], ['a b'], ['a/b'], ['ü'], ['a\n'], ['x'.repeat(256)], [7], [null], [true], [{}], [['a']]])(
    '%j is none: 400 naming it, and nothing is done',
    async (token) => {
      const id = await newItem();
      expect(errorOf(await call('inventory.adjust', { id, delta: 1 }, token))).toMatchObject({
        status: 400,
        type: 'validation_error',
        code: 'invalid_value',
        field: 'token',
      });
      expect(errorOf(await call('key.list', {}, token))).toMatchObject({ field: 'token' });
      expect(await stockOf(id)).toBe(10);
    },
  );

  test('every text of 1 to 255 letters, digits, "_", "-", ":" and "." is one', async () => {
    const id = await newItem();
    const tokens = fc.stringMatching(/^[A-Za-z0-9_\-:.]{1,255}$/);
    await fc.assert(
      fc.asyncProperty(tokens, async (random) => {
        const token = `${newToken()}${random}`.slice(0, 255);
        const before = Number(await stockOf(id));
        for (let tries = 0; tries < 2; tries++)
          expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: before + 1 } });
      }),
      { numRuns: 15 },
    );
  });

  test('a call without one is done each time', async () => {
    const id = await newItem();
    for (let tries = 0; tries < 2; tries++) await dashboard.act('inventory.adjust', account, { id, delta: 1 });
    expect(await stockOf(id)).toBe(12);
  });

  test('a read takes one and shows what is there now', async () => {
    const token = newToken();
    const id = await newItem();
    const keys = async () => ((await call('key.list', {}, token)) as { result: { data: unknown[] } }).result.data.length;
    const before = await keys();
    await dashboard.act('key.create', account, { type: 'secret' });
    expect([await keys(), await call('inventory.adjust', { id, delta: 1 }, token)]).toEqual([
      before + 1,
      expect.objectContaining({ ok: true }),
    ]);
  });
});

describe('one token names one call', () => {
  test.each([
    ['another input', 'inventory.adjust', (id: string) => ({ id, delta: 2 })],
    ['a member more', 'inventory.adjust', (id: string) => ({ id, delta: 1, note: 'x' })],
    ['another action', 'inventory.put', (id: string) => ({ ...flour, id })],
    ['another action that would be refused', 'order.delete', () => ({ id: 'ord_none' })],
    ['another action that changes nothing', 'account.update', () => ({})],
    ['another action with effects elsewhere', 'webhook.test', () => ({ id: 'whe_none' })],
  ])('with %s it is 422, and nothing is done', async (_, action, input) => {
    const [token, id] = [newToken(), await newItem()];
    await call('inventory.adjust', { id, delta: 1 }, token);
    expect(errorOf(await call(action, input(id), token))).toMatchObject(reused);
    expect(await stockOf(id)).toBe(11);
  });

  test('on another account, or on none, it is 422', async () => {
    const [token, other] = [newToken(), await dashboard.openAccount()];
    await call('product.create', { name: 'Tart', price: 4 }, token);
    expect(errorOf(await call('product.create', { name: 'Tart', price: 4 }, token, other))).toMatchObject(reused);
    expect(errorOf(await dashboard.call({ action: 'account.create', input: { name: 'A', plan: 'free' }, token }))).toMatchObject(reused);
  });

  test('the same call in other words is the same call', async () => {
    const [token, id] = [newToken(), await newItem()];
    await call('inventory.adjust', { id, delta: 1 }, token);
    expect(await call('inventory.adjust', { delta: 1, id }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test('a rejection is not kept: the call is a first one when it comes again', async () => {
    const [token, id] = [newToken(), `inv_${serial}`];
    expect(errorOf(await call('inventory.adjust', { id, delta: 1 }, token))).toMatchObject({ status: 404 });
    await dashboard.act('inventory.put', account, { ...flour, id });
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test('after rejected work with effects elsewhere, the token is free at once, even for another call', async () => {
    const token = newToken();
    expect(errorOf(await call('webhook.test', { id: 'whe_none' }, token))).toMatchObject({ status: 404 });
    expect(errorOf(await call('webhook.test', { id: 'whe_other' }, token))).toMatchObject({ status: 404 });
  });

  test('the response is stored for exactly 24 hours, and repeated unchanged', async () => {
    const [token, id] = [newToken(), await newItem()];
    const first = await call('inventory.adjust', { id, delta: 1 }, token);
    await dashboard.act('inventory.adjust', account, { id, delta: 5 });
    dashboard.clock.advance((retentionSeconds('idempotency') - 1) * 1000);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toEqual(first);
    dashboard.clock.advance(1000);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 17 } });
  });

  test('a stored response is returned although its record is deleted', async () => {
    const [token, { id }] = [newToken(), await dashboard.act('key.create', account, { type: 'secret' })];
    const made = await call('key.create', { type: 'publishable' }, token);
    await dashboard.act('key.revoke', account, { id });
    expect(await call('key.create', { type: 'publishable' }, token)).toEqual(made);
  });
});

describe('whatever is lost', () => {
  test('a commit is found as stored after all its responses are lost', async () => {
    const [token, id] = [newToken(), await newItem()];
    dashboard.wire.intercept((one, send) => (one.operation === 'TransactWriteItems' ? loseAnswer(send) : send()));
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ ok: true, result: { current_stock: 11 } });
    dashboard.wire.intercept(undefined);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test.each(['payment.refund', 'webhook.redeliver_failed', 'queue.redrive'])(
    '%s dies before or after any of its calls, and is done once by the next try',
    async (action) => {
      const undisturbed = await readyCalls[action]?.({ dashboard, receiver });
      dashboard.wire.reset();
      const whole = await dashboard.call({ action, ...undisturbed, token: newToken() });
      const steps = dashboard.wire.calls.length;
      for (let step = 0; step < steps; step++)
        for (const moment of ['before', 'after'] as const) {
          const ready = { action, ...(await readyCalls[action]?.({ dashboard, receiver })), token: newToken() };
          const standstill = standstillAt(dashboard.wire, step, moment);
          const dying = dashboard.call(ready);
          await standstill.reached;
          dashboard.wire.intercept(undefined);
          dashboard.clock.advance(actionLockMs);
          const next = await dashboard.call(ready);
          expect([step, moment, next.ok]).toEqual([step, moment, whole.ok]);
          const repeated = await dashboard.call(ready);
          expect(repeated).toEqual(JSON.parse(JSON.stringify(next)));
          standstill.fail();
          await dying;
          expect(await dashboard.call(ready)).toEqual(repeated);
        }
    },
  );

  test('of many refunds with tokens of their own, none is given twice and none goes beyond what was paid', async () => {
    const customer = await writeCustomer(dashboard.services, account);
    const paid = { customer_id: customer.id, amount: 50, method: 'cash', status: 'completed' };
    const { id } = await dashboard.act('payment.create', account, paid);
    const tokens = Array.from({ length: 7 }, newToken);
    const answers = await Promise.all([...tokens, ...tokens].map((token) => call('payment.refund', { id, amount: 10 }, token)));
    const given = new Set(answers.flatMap((answer) => (answer.ok ? [(answer.result as { id: string }).id] : [])));
    expect([given.size, (await dashboard.services.store.payments.get(account, id))?.record.refunded_amount]).toEqual([5, 50]);
  });
});
