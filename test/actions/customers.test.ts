import { beforeAll, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { writeCustomer } from '../support/shop.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = shared(startDashboard);
let account: string;
beforeAll(async () => {
  account = await dashboard.openAccount();
});

const add = (fields: Parameters<typeof writeCustomer>[2] = {}) => writeCustomer(dashboard.services, account, fields);
const stored = (id: string) => dashboard.services.store.customers.get(account, id);
const holder = (email: string) => dashboard.services.store.customers.findByEmail(account, email);

describe('customer.update', () => {
  test.each(['total_orders', 'total_spent', 'last_order_date', 'created_at', 'updated_at'])(
    'customer.update rejects %s, which the service controls',
    async (field) => {
      const { id } = await add();
      const error = await dashboard.errorOf('customer.update', account, { id, phone: '1', [field]: 9 });
      expect(error).toMatchObject({ status: 400, code: 'invalid_value', field });
    },
  );

  test('customer.update takes custom fields of customers, and keeps values whose definition was deleted', async () => {
    const { id } = await add({ custom_fields: { old: 'kept' } });
    await dashboard.act('settings.put', account, {
      custom_fields: [
        { id: 'f1', key: 'allergies', scopes: ['customer'] },
        { id: 'icing', scopes: ['order'] },
      ],
    });
    const custom_fields = { allergies: 'nuts', old: 'new' };
    expect(await dashboard.act('customer.update', account, { id, custom_fields })).toMatchObject({ custom_fields });
    expect(await dashboard.act('customer.export', account, { id })).toMatchObject({ customer: { custom_fields } });
    for (const name of ['icing', 'f1', 'other'])
      expect(await dashboard.errorOf('customer.update', account, { id, custom_fields: { [name]: 'x' } })).toMatchObject({
        status: 400,
        code: 'invalid_value',
        field: `custom_fields.${name}`,
      });
  });

  test('customer.update shows empty custom fields of a customer that a former version stored', async () => {
    const { custom_fields: _, ...former } = await add();
    const { store } = dashboard.services;
    const old = await store.customers.get(account, former.id);
    if (!old) throw new Error(former.id);
    await store.commit(store.customers.replaceWrites(account, old, former as typeof old.record));
    expect(await dashboard.act('customer.update', account, { id: former.id, phone: '5' })).toMatchObject({ phone: '5', custom_fields: {} });
  });

  test('customer.update reserves the new email and frees the old one', async () => {
    const customer = await add({ email: 'old@example.com' });
    await dashboard.act('customer.update', account, { id: customer.id, email: 'New@example.com' });
    expect([await holder('old@example.com'), await holder('new@example.com')]).toEqual([undefined, customer.id]);
    await add({ email: 'old@example.com' });
  });

  test('customer.update keeps the email reserved if only its case changes', async () => {
    const customer = await add({ email: 'case@example.com' });
    const changed = await dashboard.act('customer.update', account, { id: customer.id, email: 'Case@Example.com' });
    expect(changed['email']).toBe('Case@Example.com');
    expect(await holder('case@example.com')).toBe(customer.id);
  });

  test("customer.update frees the email if the customer's email is removed", async () => {
    const customer = await add({ email: 'gone@example.com' });
    await dashboard.act('customer.update', account, { id: customer.id, email: null });
    expect(await holder('gone@example.com')).toBeUndefined();
  });

  test('customer.update rejects an email that another customer has in upper or lower case, and changes nothing', async () => {
    await add({ email: 'taken@example.com' });
    const customer = await add();
    const input = { id: customer.id, email: 'TAKEN@example.com', first_name: 'Bea' };
    expect(await dashboard.errorOf('customer.update', account, input)).toMatchObject({ status: 409, code: 'conflict', field: 'email' });
    expect(await stored(customer.id)).toEqual({ record: customer, revision: 1 });
    expect(await holder(customer.email ?? '')).toBe(customer.id);
  });
});
