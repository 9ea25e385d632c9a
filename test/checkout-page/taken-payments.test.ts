import { describe, expect, test } from '@jest/globals';
import { shopSettings } from '../checkout/shop.ts';
import { useRefunds } from './refunding.ts';

const own = useRefunds();
const { t, ask, original } = own;

const stripeTransaction = { provider: 'Stripe', transaction_id: 'pi_1' };
const rejected = (action: string, input: object) => t.service.errorOf(action, own.account, input);
const record = async (fields: object): Promise<string> =>
  (await t.service.act('payment.create', own.account, { amount: 13, method: 'card', ...fields }))['id'];

const conflicts = [
  ['payment.void', {}, 'status'],
  ['payment.set_status', { status: 'pending' }, 'status'],
  ['payment.set_status', { status: 'submitted' }, 'status'],
  ['payment.set_status', { status: 'failed' }, 'status'],
  ['payment.set_status', { status: 'voided' }, 'status'],
  ['payment.set_status', { status: 'refunded' }, 'status'],
  ['payment.correct_amount', { amount: 12 }, 'amount'],
  ['payment.correct_amount', { amount: 13, tip_amount: 1 }, 'tip_amount'],
  ['payment.correct_amount', { amount: 13, fee_amount: 9.99 }, 'fee_amount'],
] as const;

describe('a payment that a gateway took', () => {
  test.each(conflicts)('%s %j is 409 for a payment of a checkout', async (action, input, field) => {
    const before = await original();
    expect(await rejected(action, { id: own.paid.id, ...input })).toMatchObject({ status: 409, code: 'conflict', field });
    expect(await original()).toEqual(before);
  });

  test.each(conflicts)('%s %j is 409 for a recorded payment that names a transaction of Stripe', async (action, input, field) => {
    const id = await record({ gateway: stripeTransaction });
    expect(await rejected(action, { id, ...input })).toMatchObject({ status: 409, code: 'conflict', field });
  });

  test('payment.correct_amount is 409 for an amount below the refunds of a payment that a gateway took', async () => {
    await ask({ amount: 10 });
    expect(await rejected('payment.correct_amount', { id: own.paid.id, amount: 5 })).toMatchObject({ status: 409, field: 'amount' });
  });

  test('a payment that a gateway took can become refunded after all of it was refunded there', async () => {
    await ask({ amount: 13 });
    expect(await t.service.act('payment.set_status', own.account, { id: own.paid.id, status: 'refunded' })).toMatchObject({
      status: 'refunded',
    });
    expect(await own.order()).toMatchObject({ payment_status: 'refunded' });
  });

  test.each([
    ['names another gateway', { gateway: { provider: 'square', transaction_id: 'pi_1' } }],
    ['names no transaction of Stripe', { gateway: { provider: 'stripe', transaction_id: 'receipt 7' } }],
    ['is only expected', { gateway: stripeTransaction, status: 'pending' }],
  ])('a recorded payment that %s can be voided', async (_what, fields) => {
    expect(await t.service.act('payment.void', own.account, { id: await record(fields) })).toMatchObject({ status: 'voided' });
  });

  test('a recorded payment that names a transaction of Stripe can be voided if the account never had keys of Stripe', async () => {
    const { id: account } = await t.service.act('account.create', undefined, { name: 'Cash only', plan: 'business' });
    await t.service.act('settings.put', account, shopSettings);
    const { id } = await t.service.act('payment.create', account, { amount: 13, method: 'card', gateway: stripeTransaction });
    expect(await t.service.act('payment.void', account, { id })).toMatchObject({ status: 'voided' });
  });
});
