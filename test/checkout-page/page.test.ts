import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { html } from '../../shared/core/html.ts';
import { openShop } from '../checkout/shop.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { approveCard, openCounter, origin, type PageResponse, successUrl, visitor } from './page.ts';

const world = shared(startWorld);

test('the html tag escapes every value, in text and in quoted attributes', () =>
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`;
      expect(markup.slice(1, -1).match(/[<>]/g)).toHaveLength(2);
      expect(markup.match(/"/g)).toHaveLength(2);
      expect(markup).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/);
    }),
  ));

describe('the page', () => {
  test('the page shows the cart, the slot, the delivery fee, the total and the note', async () => {
    const items = [
      { product_id: 'prd_bread', quantity: 2 },
      { product_id: 'prd_cake', variant_id: 'var_large', quantity: 1 },
    ];
    const fields = { items, delivery_type: 'delivery', delivery_time: '17:00', notes: 'Ring <b>twice' };
    const counter = await openCounter(world, { fields });
    const { status, text } = await counter.visit('GET', counter.path);
    expect(status).toBe(200);
    for (const shown of [
      'Test bakery',
      '2 × <bdi>Sourdough</bdi>',
      '$13.00',
      'Layer cake &lt;b&gt; – Large',
      '$58.05',
      'Thursday, March 14, 2030',
      '5:00 – 7:00 PM',
      'Delivery fee',
      '$8.00',
      'Pay $79.05',
      'Ring &lt;b&gt;twice',
    ])
      expect(text.replace(/\s+/g, ' ')).toContain(shown);
  });

  test('the page forbids caching, framing, referrers and scripts of other sites', async () => {
    const counter = await openCounter(world);
    const { headers, text } = await counter.visit('GET', counter.path);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    const policy = headers['Content-Security-Policy'] ?? '';
    const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text.match(/<(script|style)[^>]*>/g)?.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
    expect((await counter.visit('GET', counter.path)).headers['Content-Security-Policy']).not.toBe(policy);
  });

  describe('redirects of forms', () => {
    const targetsOf = ({ headers }: PageResponse): string | undefined =>
      /form-action ([^;]*)/.exec(headers['Content-Security-Policy'] ?? '')?.[1];

    test("forms may redirect to the page and to shops on HTTPS, but not to the shopper's machine", async () => {
      const counter = await openCounter(world);
      expect(targetsOf(await counter.visit('GET', counter.path))).toBe("'self' https:");
      expect(targetsOf(await counter.pay('1234'))).toBe("'self' https:");
    });

    test('a page without forms allows no redirect', async () => {
      expect(targetsOf(await visitor(world)('GET', '/checkout/acct_0/cs_0'))).toBe("'none'");
    });

    test('forms may redirect to a shop on this machine in the local service only', async () => {
      const local = await startWorld({ policy: { allowLoopback: true, timeScale: 1 } });
      try {
        const fields = { success_url: 'http://localhost:8080/thanks', cancel_url: 'http://127.0.0.1:8081/' };
        const counter = await openCounter(local, { fields });
        expect(targetsOf(await counter.visit('GET', counter.path))).toBe("'self' https: http://localhost:8080");
      } finally {
        await local.stop();
      }
    });
  });

  test('the page asks only for missing fields', async () => {
    const fieldsOf = async (fields: Record<string, unknown>): Promise<string[]> => {
      const counter = await openCounter(world, { fields });
      const { text } = await counter.visit('GET', counter.path);
      return [...text.matchAll(/<label for="(\w+)"/g)].map(([, name = '']) => name);
    };
    expect(await fieldsOf({})).toEqual(['card_number']);
    expect(await fieldsOf({ customer: null })).toEqual(['first_name', 'last_name', 'email', 'phone', 'card_number']);
    expect(await fieldsOf({ customer: { phone: '1' } })).toEqual(['first_name', 'last_name', 'email', 'card_number']);
    const delivery = { delivery_type: 'delivery', delivery_time: '17:00' };
    const address = ['delivery_address', 'address_city', 'address_state', 'address_postcode'];
    expect(await fieldsOf(delivery)).toEqual([...address, 'card_number']);
    expect(await fieldsOf({ delivery_type: 'dispatch' })).toEqual([...address, 'card_number']);
    for (const blank of [' ', {}, { line1: ' ', city: null }])
      expect(await fieldsOf({ ...delivery, delivery_address: blank })).toEqual([...address, 'card_number']);
    for (const known of ['1 Mill Lane', { line1: '1 Mill Lane' }])
      expect(await fieldsOf({ ...delivery, delivery_address: known })).toEqual(['card_number']);
  });

  test('the page shows the email of a customer that it does not ask for', async () => {
    const textOf = async (fields: Record<string, unknown>) => {
      const counter = await openCounter(world, { fields });
      return (await counter.visit('GET', counter.path)).text.replaceAll(/<wbr>|<\/?b>/g, '');
    };
    expect(await textOf({})).toContain('Email Ada@example.com</p>');
    expect(await textOf({ customer: { phone: '1' } })).not.toContain('class="known"');
  });

  test.each(['', ' - '])('the page asks for a card number that is missing (%j)', async (card) => {
    const { status, text } = await (await openCounter(world)).pay(card);
    expect(status).toBe(422);
    expect(text).toContain('id="card_number-error">Enter a card number.</p>');
  });

  test("the page uses the shopper's input as the order's customer and address", async () => {
    const counter = await openCounter(world, { fields: { customer: null, delivery_type: 'delivery', delivery_time: '17:00' } });
    const form = { first_name: 'Grace', last_name: 'Miller', email: 'grace@example.com', phone: '555', delivery_address: '2 Mill Lane' };
    await counter.pay(approveCard, form);
    expect((await counter.made()).orders).toMatchObject([
      { customer_name: 'Grace Miller', customer_email: 'grace@example.com', customer_phone: '555', delivery_address: '2 Mill Lane' },
    ]);
  });

  test('the page returns each error at its field, keeps the values and charges nothing', async () => {
    const counter = await openCounter(world, { fields: { customer: null } });
    const { status, text } = await counter.pay('1234', { first_name: '"><script>', last_name: ' ', email: 'grace@' });
    expect(status).toBe(422);
    for (const name of ['last_name', 'email', 'card_number']) {
      expect(text).toMatch(new RegExp(`<input id="${name}"[^>]*aria-invalid="true" aria-describedby="${name}-error"`));
      expect(text).toContain(`id="${name}-error"`);
    }
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(await counter.session()).toMatchObject({ status: 'open', tries: 0 });
  });

  test.each([
    ['an unknown session', (path: string) => path.replace(/cs_.*/, 'cs_0')],
    ["another account's session", (path: string) => path.replace(/acct_\w+/, 'acct_0')],
    ['no id', (path: string) => path.replace(/cs_.*/, '..%2f')],
  ])('the page is a 404 page for %s', async (_, change) => {
    const counter = await openCounter(world);
    const { status, text } = await counter.visit('GET', change(counter.path));
    expect([status, text.includes('Checkout not found')]).toEqual([404, true]);
  });

  test("the page is a 404 page for a session under another account's path", async () => {
    const [counter, other] = [await openCounter(world), await openShop(world)];
    expect((await counter.visit('GET', `/checkout/${other.account.id}/${counter.id}`)).status).toBe(404);
  });

  test('the page logs no part of an unknown path', async () => {
    world.log.length = 0;
    await visitor(world)('GET', '/checkout/SECRET-TEXT/cs_1');
    expect(JSON.stringify(world.log)).not.toContain('SECRET');
  });

  test('the page is a 404 page after its account was closed', async () => {
    const counter = await openCounter(world);
    const updated_at = new Date(world.clock.now()).toISOString();
    await world.store.commit([world.store.accounts.updateWrite(counter.shop.account.id, { status: 'closed', updated_at })]);
    expect((await counter.visit('GET', counter.path)).status).toBe(404);
  });
});

describe('the origin of a payment form', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without its token', { 'sec-fetch-site': 'same-origin' }, { token: '' }],
    ["with another session's token", { 'sec-fetch-site': 'same-origin' }, { token: 'x'.repeat(32) }],
    ['from another site', { 'sec-fetch-site': 'cross-site', origin }, {}],
    ['from a sibling of the site', { 'sec-fetch-site': 'same-site', origin }, {}],
    ['from another origin, by a browser that says no more', { origin: 'https://evil.example.com' }, {}],
  ])('the page rejects a payment form %s', async (_, headers, changes) => {
    const counter = await openCounter(world);
    const form = { token: counter.token, card_number: approveCard, ...changes };
    expect((await counter.visit('POST', `${counter.path}/pay`, { headers, form })).status).toBe(403);
    expect((await counter.made()).orders).toEqual([]);
  });

  test.each<[string, Record<string, string>]>([
    ['from itself', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['from itself in an old browser', { origin }],
    ['from itself in an old browser that hides its origin', { origin: 'null' }],
  ])('the page accepts a payment form %s', async (_, headers) => {
    const counter = await openCounter(world);
    const form = { token: counter.token, card_number: approveCard };
    const response = await counter.visit('POST', `${counter.path}/pay`, { headers, form });
    expect([response.status, response.headers['Location']]).toEqual([303, successUrl]);
  });

  test('the page rejects a payment form of 300 KB', async () => {
    const counter = await openCounter(world);
    expect((await counter.visit('POST', `${counter.path}/pay`, { body: 'a'.repeat(300_000) })).status).toBe(413);
  });
});

test('only the page contains the token', async () => {
  const shop = await openShop(world);
  const { body, text } = await shop.open();
  const { token } = (await world.store.checkoutSessions.get(shop.account.id, body.id))?.record ?? { token: '' };
  expect(token).toHaveLength(32);
  expect(text).not.toContain(token);
});

test('the page logs neither path nor form', async () => {
  const counter = await openCounter(world);
  world.log.length = 0;
  await counter.pay(approveCard);
  expect(world.log.at(-1)).toMatchObject({ op: 'pay', status: 303, account: counter.shop.account.id });
  expect(JSON.stringify(world.log)).not.toContain(counter.token);
  expect(JSON.stringify(world.log)).not.toContain(counter.id);
});

test('a failure shows an error page without its cause', async () => {
  const visit = visitor(world, {
    store: { ...world.store, checkoutSessions: { ...world.store.checkoutSessions, get: () => Promise.reject(new Error('internals')) } },
  });
  const counter = await openCounter(world);
  const { status, text } = await visit('GET', counter.path);
  expect([status, text.includes('internals')]).toEqual([500, false]);
});
