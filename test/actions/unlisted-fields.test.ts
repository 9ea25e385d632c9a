import { beforeAll, describe, expect, test } from '@jest/globals';
import { actionTable } from '../../functions/actions/index.ts';
import { listedObjectsOf, samples, withText } from '../contract/inputs.ts';
import { shared } from '../support/shared.ts';
import { startDashboard } from './dashboard.ts';
import { readyCalls } from './every-action.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

/** Every object of every action's input whose fields are listed. */
const objects = Object.entries(actionTable).flatMap(([action, { input }]) =>
  listedObjectsOf(input).map((path): [action: string, field: string] => [action, [path, 'quantiy'].filter(Boolean).join('.')]),
);

describe('a field that an action does not list', () => {
  test.each(objects)('%s rejects the field %s by its path', async (action, field) => {
    const input = withText(samples[action] ?? {}, field, 3);
    expect(await dashboard.errorOf(action, account, input)).toMatchObject({ status: 400, code: 'invalid_value', field });
  });

  test('the inputs of actions have listed objects at every depth', () => {
    expect(objects.map(([action, field]) => `${action} ${field}`)).toEqual(
      expect.arrayContaining([
        'order.update items.0.quantiy',
        'expense.create supplier.quantiy',
        'payment.create gateway.quantiy',
        'product.update variants.0.quantiy',
        'settings.put quantiy',
        'settings.update time_slots.quantiy',
        'settings.update checkout.branding.quantiy',
      ]),
    );
    expect(new Set(objects.map(([action]) => action))).toEqual(new Set(Object.keys(actionTable)));
  });

  test('an action names the slip for a required field, and the fields that the object has', async () => {
    const items = [{ name: 'Cake', quantiy: 2, unit_price: 5 }];
    expect(await dashboard.errorOf('quick_sale.create', account, { items })).toMatchObject({
      field: 'items.0.quantiy',
      message: 'items.0.quantiy is not a field of the input. Its object takes name, quantity, unit_price.',
    });
  });

  test.each(['__proto__', 'constructor', 'toString'])('an action rejects the field %s, which every JavaScript object has', async (name) => {
    const input = JSON.parse(`{"${name}":1}`);
    expect(await dashboard.errorOf('key.list', account, input)).toMatchObject({ status: 400, code: 'invalid_value', field: name });
  });

  test('a call of an action rejects a field beside the input, so that a slip for input does not empty it', async () => {
    expect(await dashboard.call({ action: 'settings.put', account, inputs: {} })).toMatchObject({
      ok: false,
      status: 400,
      body: { error: { code: 'invalid_value', field: 'inputs' } },
    });
  });
});

describe('a free-form object of an action', () => {
  test('customer.update and order.update keep every field of metadata and of an address', async () => {
    const metadata = { quantiy: '3', 'a b': 'c' };
    for (const action of ['customer.update', 'order.update']) {
      const address =
        action === 'customer.update' ? { address: { flat: '4', gate: null } } : { delivery_address: { flat: '4', gate: null } };
      const ready = await readyCalls[action]?.({ dashboard, receiver: { hook: () => ({}) as never } });
      const input = { id: ready?.input['id'], metadata, ...address };
      expect(await dashboard.act(action, ready?.account, input)).toMatchObject({ metadata, ...address });
    }
  });
});
