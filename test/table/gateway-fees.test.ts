import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FeeBooked, FeeConflict } from '../../shared/table/expenses.ts';
import { writeFees } from '../support/fees.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const day = '2026-03-05';
const at = '2026-03-05T10:00:00.000Z';
const fee = (i: number, amount: number) => ({ order_id: `ord_${i}`, order_label: `#${i}`, gateway: 'stripe', amount });
const recordOf = async (account: string) => (await world.store.expenses.get(account, `gateway_fees_${day}`))?.record;
let accounts = 0;
const newAccount = () => `acct_fees${++accounts}`;
const book = async (account: string, i: number, { currency = 'USD', recorded = undefined as Awaited<ReturnType<typeof recordOf>> } = {}) =>
  world.store.commit(
    world.store.gatewayFees.bookWrites(account, recorded, { line: { ...fee(i, 1), transaction_id: `t${i}` }, day, currency, at }),
  );

test('the sum of a day is exact in cents, even if binary fractions of the amounts are not', async () => {
  const cents = fc.integer({ min: 1, max: 1_000_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(cents, { minLength: 1, maxLength: 20 }), async (amounts) => {
      const account = newAccount();
      await writeFees(
        world,
        account,
        amounts.map((amount, i) => fee(i, amount / 100)),
        { day },
      );
      const sum = amounts.reduce((total, amount) => total + amount, 0) / 100;
      expect(await recordOf(account)).toMatchObject({ amount: sum, transaction_count: amounts.length });
    }),
    { numRuns: 15 },
  );
});

test('lines of a day are returned in the order in which they were added, without those of other days', async () => {
  const account = newAccount();
  const booked = Array.from({ length: 12 }, (_, i) => fee(i, 1));
  for (const one of booked) {
    await writeFees(world, account, [one], { day, at });
    await writeFees(world, account, [{ ...one, transaction_id: `elsewhere${one.order_id}` }], { day: '2026-03-06', at });
  }
  const { lines, complete } = await world.store.gatewayFees.lines(account, day);
  expect([lines.map(({ order_id }) => order_id), complete]).toEqual([booked.map(({ order_id }) => order_id), true]);
});

describe('a fee is rejected', () => {
  test('if its transaction is already on that day, even after the record changed', async () => {
    const account = newAccount();
    await book(account, 1);
    await expect(book(account, 1)).rejects.toThrow(FeeBooked);
    await expect(book(account, 1, { recorded: await recordOf(account) })).rejects.toThrow(FeeBooked);
    expect(await recordOf(account)).toMatchObject({ amount: 1, transaction_count: 1 });
  });

  test("if the day's record was created since the read, or has another currency", async () => {
    const account = newAccount();
    await book(account, 1);
    await expect(book(account, 2)).rejects.toThrow(FeeConflict);
    const recorded = await recordOf(account);
    await expect(book(account, 2, { recorded: recorded && { ...recorded, currency: 'EUR' } })).rejects.toThrow(FeeConflict);
    expect((await world.store.gatewayFees.lines(account, day)).lines).toHaveLength(1);
  });
});

test('fees that were decided on the same read are all added', async () => {
  const account = newAccount();
  await book(account, 0);
  const recorded = await recordOf(account);
  await Promise.all(Array.from({ length: 20 }, (_, i) => book(account, i + 1, { recorded })));
  expect(await recordOf(account)).toMatchObject({ amount: 21, transaction_count: 21 });
  expect((await world.store.expenses.get(account, `gateway_fees_${day}`))?.revision).toBe(21);
});

test('any transaction id is accepted', async () => {
  const account = newAccount();
  const names = ['x'.repeat(255), '𝄞'.repeat(255), 'a#b', ' ', '2026-03-06#t'];
  await writeFees(
    world,
    account,
    names.map((transaction_id, i) => ({ ...fee(i, 1), transaction_id })),
    { day },
  );
  for (const name of names) expect(await world.store.gatewayFees.dayOf(account, name)).toBe(day);
  expect((await world.store.gatewayFees.lines(account, day)).lines.map(({ transaction_id }) => transaction_id)).toEqual(names);
});
