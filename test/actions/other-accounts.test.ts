import { expect, test } from '@jest/globals';
import { allItems } from '../support/person.ts';
import { startReceiver } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { readyCalls } from './every-action.ts';

const dashboard = shared(startDashboard);
const receiver = shared(startReceiver);

/** Fields by which an input names a record. */
const naming = ['id', 'endpoint_id', 'event_id', 'order_id', 'transaction_id'];
/** Its fee names an order of any system. */
const namesNone = ['gateway_fee.record'];

const everythingOf = async (account: string) =>
  (await allItems(dashboard)).filter(({ key, item }) => JSON.stringify({ key, item }).includes(account));

test.each(Object.entries(readyCalls))(
  '%s neither finds nor changes a record of another account, and responds as for an unknown one',
  async (action, make) => {
    const { account, input } = await make({ dashboard, receiver });
    // Actions on the region name no account.
    if (account === undefined) return;
    const before = await everythingOf(account);
    const other = await dashboard.openAccount();
    const foreign = await dashboard.call({ action, account: other, input });
    expect(JSON.stringify(foreign)).not.toContain(account);
    const named = namesNone.includes(action) ? [] : naming.filter((field) => field in input);
    if (named.length > 0) {
      const unknown = Object.fromEntries(named.map((field) => [field, 'rec_none']));
      expect(foreign).toMatchObject({ ok: false, status: action === 'payment.create' ? 400 : 404 });
      for (const owner of [account, other])
        expect(await dashboard.call({ action, account: owner, input: { ...input, ...unknown } })).toEqual(foreign);
    }
    expect(await everythingOf(account)).toEqual(before);
  },
);

test.each(['expense', 'order', 'product', 'quick_sale'])('a deleted %s is not found by any action', async (noun) => {
  const { account, input } = (await readyCalls[`${noun}.delete`]?.({ dashboard, receiver })) ?? {};
  expect(await dashboard.act(`${noun}.delete`, account, input)).toEqual({ deleted: true, id: input?.['id'] });
  for (const action of Object.keys(readyCalls).filter((name) => /\.(update|set_status|delete)$/.test(name) && name.startsWith(`${noun}.`)))
    expect(
      await dashboard.errorOf(action, account, { ...input, ...(action === 'order.set_status' && { status: 'confirmed' }) }),
    ).toMatchObject({ status: 404, code: 'not_found' });
});
