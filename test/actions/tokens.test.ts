import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { actionLockMs } from '../../shared/table/action-tokens.ts';
import { retentionSeconds } from '../../shared/table/keys.ts';
import { isWrite, loseResponse, standstillAt } from '../support/faults.ts';
import { startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { writeCustomer } from '../support/shop.ts';
import { type Dashboard, startDashboard } from './dashboard.ts';
import { readyCalls } from './every-action.ts';

const dashboard = shared(startDashboard);
const receiver = shared(startReceiver);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});
afterEach(() => dashboard.wire.intercept(undefined));

let serial = 0;
/** Ends with a colon, so that no token is another one with random text behind it. */
const newToken = (): string => `tokens-${++serial}:`;
const call = (action: string, input: object, token: unknown, of: string | undefined = account) =>
  dashboard.call({ action, ...(of === undefined ? {} : { account: of }), input, token });
const errorOf = (response: Awaited<ReturnType<Dashboard['call']>>) =>
  response.ok ? response : { status: response.status, ...response.body.error };
const flour = { type: 'ingredient', name: 'Flour', current_stock: 10, reorder_point: 2, unit: 'kg' };
const newItem = async (): Promise<string> => (await dashboard.act('inventory.put', account, flour))['id'];
const stockOf = async (id: string) => (await dashboard.services.store.inventory.get(account, id))?.record.current_stock;
const reused = { status: 422, type: 'idempotency_error', code: 'idempotency_key_reused', field: 'token' };

describe('a token', () => {
  test.each([[''], ['a b'], ['a/b'], ['ü'], ['a\n'], ['x'.repeat(256)], [7], [null], [true], [{}], [['a']]])(
    "a token of the form %j is rejected with 400 and the field's name, and nothing is done",
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

  test('a token may be any text of 1 to 255 letters, digits, "_", "-", ":" and "."', async () => {
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

  test('a token is optional: without it, every call is carried out', async () => {
    const id = await newItem();
    for (let tries = 0; tries < 2; tries++) await dashboard.act('inventory.adjust', account, { id, delta: 1 });
    expect(await stockOf(id)).toBe(12);
  });

  test('a token has no effect on a read, which returns the present data', async () => {
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

describe('a token that was used', () => {
  test.each([
    ['another input', 'inventory.adjust', (id: string) => ({ id, delta: 2 })],
    ['another action', 'inventory.put', (id: string) => ({ ...flour, id })],
    ['another action that would be refused', 'order.delete', () => ({ id: 'ord_none' })],
    ['another action that changes nothing', 'account.update', () => ({})],
    ['another action with effects elsewhere', 'webhook.test', () => ({ id: 'whe_none' })],
  ])('a token that was used fails with 422 for a call with %s, and nothing is done', async (_, action, input) => {
    const [token, id] = [newToken(), await newItem()];
    await call('inventory.adjust', { id, delta: 1 }, token);
    expect(errorOf(await call(action, input(id), token))).toMatchObject(reused);
    expect(await stockOf(id)).toBe(11);
  });

  test('a token that was used fails with 422 for a call on another account or on no account', async () => {
    const [token, other] = [newToken(), await dashboard.openAccount()];
    await call('product.create', { name: 'Tart', price: 4 }, token);
    expect(errorOf(await call('product.create', { name: 'Tart', price: 4 }, token, other))).toMatchObject(reused);
    expect(errorOf(await dashboard.call({ action: 'account.create', input: { name: 'A', plan: 'free' }, token }))).toMatchObject(reused);
  });

  test('a token that was used returns the stored response to an equal input with another spelling', async () => {
    const [token, id] = [newToken(), await newItem()];
    await call('inventory.adjust', { id, delta: 1 }, token);
    expect(await call('inventory.adjust', { delta: 1, id }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test('a token is free again after a rejection', async () => {
    const [token, id] = [newToken(), `inv_${serial}`];
    expect(errorOf(await call('inventory.adjust', { id, delta: 1 }, token))).toMatchObject({ status: 404 });
    await dashboard.act('inventory.put', account, { ...flour, id });
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test('a token is free at once after a rejected action with effects outside the commit', async () => {
    const token = newToken();
    expect(errorOf(await call('webhook.test', { id: 'whe_none' }, token))).toMatchObject({ status: 404 });
    expect(errorOf(await call('webhook.test', { id: 'whe_other' }, token))).toMatchObject({ status: 404 });
  });

  test('a token that was used returns the unchanged response for exactly 24 hours', async () => {
    const [token, id] = [newToken(), await newItem()];
    const first = await call('inventory.adjust', { id, delta: 1 }, token);
    expect(first).toMatchObject({ result: { current_stock: 11 } });
    expect(await dashboard.act('inventory.adjust', account, { id, delta: 5 })).toMatchObject({ current_stock: 16 });
    dashboard.clock.advance((retentionSeconds('idempotency') - 1) * 1000);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toEqual(first);
    dashboard.clock.advance(1000);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 17 } });
  });

  test('a token that was used returns the stored response although its record was deleted', async () => {
    const [token, { id }] = [newToken(), await dashboard.act('key.create', account, { type: 'secret' })];
    const made = await call('key.create', { type: 'publishable' }, token);
    await dashboard.act('key.revoke', account, { id });
    expect(await call('key.create', { type: 'publishable' }, token)).toEqual(made);
  });
});

describe('a call with a token that fails', () => {
  test('a call with a token that fails returns the stored response after all responses of the commit are lost', async () => {
    const [token, id] = [newToken(), await newItem()];
    dashboard.wire.intercept((one, send) => (one.operation === 'TransactWriteItems' ? loseResponse(send) : send()));
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ ok: true, result: { current_stock: 11 } });
    dashboard.wire.intercept(undefined);
    expect(await call('inventory.adjust', { id, delta: 1 }, token)).toMatchObject({ result: { current_stock: 11 } });
  });

  test.each(['payment.refund', 'webhook.redeliver_failed', 'queue.redrive'])(
    '%s that dies before or after any of its writes is completed once by the next try',
    async (action) => {
      const undisturbed = await readyCalls[action]?.({ dashboard, receiver });
      dashboard.wire.reset();
      const undisturbedResponse = await dashboard.call({ action, ...undisturbed, token: newToken() });
      const steps = dashboard.wire.calls.filter(isWrite).length;
      for (let step = 0; step < steps; step++)
        for (const moment of ['before', 'after'] as const) {
          const ready = { action, ...(await readyCalls[action]?.({ dashboard, receiver })), token: newToken() };
          const standstill = standstillAt(dashboard.wire, step, moment, isWrite);
          const dying = dashboard.call(ready);
          await standstill.reached;
          dashboard.wire.intercept(undefined);
          dashboard.clock.advance(actionLockMs);
          const next = await dashboard.call(ready);
          expect([step, moment, next.ok]).toEqual([step, moment, undisturbedResponse.ok]);
          const repeated = await dashboard.call(ready);
          expect(repeated).toEqual(JSON.parse(JSON.stringify(next)));
          standstill.fail();
          await dying;
          expect(await dashboard.call(ready)).toEqual(repeated);
        }
    },
  );

  test('many simultaneous refunds with tokens make no refund twice, and give back no more than was paid', async () => {
    const customer = await writeCustomer(dashboard.services, account);
    const paid = { customer_id: customer.id, amount: 50, method: 'cash', status: 'completed' };
    const { id } = await dashboard.act('payment.create', account, paid);
    const tokens = Array.from({ length: 7 }, newToken);
    const responses = await Promise.all([...tokens, ...tokens].map((token) => call('payment.refund', { id, amount: 10 }, token)));
    const refundIds = new Set(responses.flatMap((response) => (response.ok ? [(response.result as { id: string }).id] : [])));
    expect([refundIds.size, (await dashboard.services.store.payments.get(account, id))?.record.refunded_amount]).toEqual([5, 50]);
  });
});
