import { describe, expect, test } from '@jest/globals';
import { ada, approveCard, type Counter, declineCard, openCounter, pendingCard } from './page.ts';
import { useStripe } from './stripe-counter.ts';

const t = useStripe();

const delivered = { customer: null, delivery_type: 'delivery', delivery_time: '17:00' };
const typed = {
  first_name: 'Gracie "G"',
  last_name: 'Miler',
  email: 'grace@exmaple.com',
  phone: '555',
  delivery_address: '2 Mill Lane\nOldtown',
};
const corrected = {
  first_name: 'Grace',
  last_name: 'Miller',
  email: 'grace@example.com',
  phone: '556',
  delivery_address: '3 Mill Lane\nNewtown',
};

const unescaped = (text: string): string => text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

/** Returns the form's values by name, as a browser would send them. */
const shown = async (counter: Counter): Promise<Record<string, string>> => {
  const { text } = await counter.visit('GET', counter.path);
  const inputs = [...text.matchAll(/<input id="(\w+)"[^>]* value="([^"]*)"/g)];
  const areas = [...text.matchAll(/<textarea id="(\w+)"[^>]*>([^<]*)</g)];
  return Object.fromEntries([...inputs, ...areas].map(([, name = '', value = '']) => [name, unescaped(value)]));
};

/** The customer and items of the order, as the merchant reads them. */
const placed = async (counter: Counter) => {
  const { order_id } = await counter.session();
  const { body: order } = await t.world.request('GET', `/orders/${order_id}`, { key: counter.shop.secretKey });
  const { body: customer } = await t.world.request('GET', `/customers/${order.customer_id}`, { key: counter.shop.secretKey });
  return { order, customer };
};

describe('a form after a decline', () => {
  test.each<[string, (counter: Counter) => Promise<unknown>]>([
    ['of the card', (counter) => counter.pay(declineCard, typed)],
    [
      'by the bank, later',
      async (counter) => {
        await counter.pay(pendingCard, typed);
        await counter.decide('decline');
      },
    ],
  ])('the page keeps every input except the card number after a decline, %s', async (_, decline) => {
    const counter = await openCounter(t.world, { fields: delivered });
    await decline(counter);
    expect(await shown(counter)).toEqual({ ...typed, card_number: '' });
  });

  test('the input of the next form creates the order and its customer', async () => {
    const counter = await openCounter(t.world, { fields: delivered });
    await counter.pay(declineCard, typed);
    await counter.pay(declineCard, { ...typed, email: 'grace@example.co' });
    expect(await shown(counter)).toMatchObject({ email: 'grace@example.co' });
    await counter.pay(approveCard, corrected);
    const { order, customer } = await placed(counter);
    const { delivery_address, ...person } = corrected;
    expect(customer).toMatchObject(person);
    expect(order).toMatchObject({
      customer_name: 'Grace Miller',
      customer_email: 'grace@example.com',
      customer_phone: '556',
      delivery_address,
    });
    expect((await t.world.store.customers.findByEmail(counter.shop.account.id, typed.email)) ?? null).toBeNull();
  });

  test('a removed input stays removed after a decline', async () => {
    const counter = await openCounter(t.world, { fields: delivered });
    await counter.pay(declineCard, typed);
    await counter.pay(approveCard, { ...typed, first_name: '', phone: ' ' });
    expect((await placed(counter)).customer).toMatchObject({ first_name: null, last_name: 'Miler', phone: null });
  });

  test('required inputs are still required after a decline', async () => {
    const counter = await openCounter(t.world, { fields: delivered });
    await counter.pay(declineCard, typed);
    const { status, text } = await counter.pay(approveCard, { ...corrected, email: 'grace@', delivery_address: ' ' });
    expect([status, (await counter.session()).status]).toEqual([422, 'open']);
    for (const name of ['email', 'delivery_address']) {
      expect(text).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true" aria-describedby="${name}-error"`));
      expect(text).toContain(`<a href="#${name}">`);
    }
    expect(text).toContain('value="grace@"');
  });

  test('the page does not ask for fields that the shop sent, and no form changes them', async () => {
    const counter = await openCounter(t.world, { fields: { ...delivered, customer: ada, delivery_address: '1 Mill Lane' } });
    await counter.pay(declineCard);
    expect(await shown(counter)).toEqual({ card_number: '' });
    await counter.pay(approveCard, corrected);
    expect((await placed(counter)).order).toMatchObject({
      customer_name: 'Ada Baker',
      customer_email: ada.email,
      delivery_address: '1 Mill Lane',
    });
  });

  test('fields that the shop left empty stay editable after a decline', async () => {
    const counter = await openCounter(t.world, { fields: { ...delivered, customer: { phone: '1' }, delivery_address: '1 Mill Lane' } });
    const { first_name, last_name, email } = typed;
    await counter.pay(declineCard, typed);
    expect(await shown(counter)).toEqual({ first_name, last_name, email, card_number: '' });
    await counter.pay(approveCard, corrected);
    expect((await placed(counter)).customer).toMatchObject({ last_name: 'Miller', email: 'grace@example.com', phone: '1' });
  });
});

describe('an email address rejected by Stripe', () => {
  const stripeError = {
    type: 'invalid_request_error',
    code: 'email_invalid',
    param: 'customer_email',
    message: 'Invalid email address: grace@example.c',
  };
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['typed on the page', { customer: null }, { last_name: 'Miller', email: 'grace@example.c' }],
    ['that the shop has said', { customer: { last_name: 'Miller', email: 'grace@example.c' } }, {}],
  ])('%s shows the form again, which marks the field and accepts another email', async (_, fields, form) => {
    const counter = await t.open({ fields });
    t.stripe.failNext(400, stripeError);
    const response = await counter.pay('', form);
    expect([response.status, response.headers['Location']]).toEqual([303, `https://us.api.example.com${counter.path}`]);
    const { text } = await counter.visit('GET', counter.path);
    expect(text).toMatch(/<input id="email"[^>]* value="grace@example\.c"[^>]*aria-invalid="true" aria-describedby="email-error"/);
    expect(text).toContain('id="email-error"');
    expect(text).toContain('<a href="#email">');

    const next = await counter.pay('', { ...form, email: 'grace@example.com' });
    expect(next.headers['Location']).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(t.stripe.requests.at(-1)?.form.get('customer_email')).toBe('grace@example.com');
    t.stripe.pay(await counter.hosted());
    await counter.comeBack();
    expect((await placed(counter)).customer).toMatchObject({ last_name: 'Miller', email: 'grace@example.com' });
  });

  test('the page no longer marks a rejected email after another decline', async () => {
    const counter = await t.open({ fields: { customer: { last_name: 'Miller', email: 'grace@example.c' } } });
    t.stripe.failNext(400, stripeError);
    await counter.pay('');
    t.stripe.failNext(400, { type: 'invalid_request_error', message: 'No such price' });
    await counter.pay('', { email: 'grace@example.com' });
    const { text } = await counter.visit('GET', counter.path);
    expect(text).not.toContain('aria-invalid="true"');
    expect(await shown(counter)).toEqual({ email: 'grace@example.com' });
  });
});
