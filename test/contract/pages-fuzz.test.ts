import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routes } from '../../functions/checkout-page/routes.ts';
import { gatewayNames } from '../../shared/providers/payment-gateways/gateway.ts';
import { anyCharacter } from '../support/any-character.ts';
import { sendHttp } from '../support/http.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

/** Paths outside `/api/v2` need no key, so no request from outside may cause a 5xx. */
const journey = shared(() => startJourney({ regions: ['us'], seed: false }));
let account: string;
let stripeAccount: string;
let sessions: readonly Session[];

interface Session {
  readonly id: string;
  readonly token: string;
  readonly transaction_id: string;
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const send = ({ method, path, query, headers, body }: Sent) =>
  sendHttp(`${journey.runtime.urls.us}${path}${query}`, method, { headers, body: typeof body === 'string' ? Buffer.from(body) : body });

const form = (fields: Readonly<Record<string, string>>) => ({
  query: '',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const hiddenIn = (page: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Opens a session, and pays it if a card is given. */
const openSession = async (merchant: Awaited<ReturnType<Journey['merchant']>>, card?: string): Promise<Session> => {
  const product = await merchant.act('product.create', { name: 'Cake', price: 4 });
  const cart = {
    items: [{ product_id: product.id, quantity: 1 }],
    delivery_type: 'pickup',
    delivery_date: '2035-03-15',
    success_url: 'https://shop.example.com/thanks',
    cancel_url: 'https://shop.example.com/cart',
  };
  const { body } = await merchant.call('POST', '/checkout', cart);
  const path = new URL(body.url).pathname;
  const show = () => send({ method: 'GET', path, query: '', headers: {}, body: undefined });
  const token = hiddenIn((await show()).text, 'token');
  if (card === undefined) return { id: body.id, token, transaction_id: '' };
  const { status } = await send({
    method: 'POST',
    path: `${path}/pay`,
    ...form({ token, card_number: card, last_name: 'Baker', email: 'ada@example.com' }),
  });
  expect(status).toBe(303);
  return { id: body.id, token, transaction_id: hiddenIn((await show()).text, 'transaction_id') };
};

beforeAll(async () => {
  const [merchant, other] = [await journey.merchant(), await journey.merchant()];
  [account, stripeAccount] = [merchant.account, other.account];
  await other.act('settings.put', { checkout: { gateway: 'stripe', secret_key: 'sk_test_fuzz', webhook_secret: 'whsec_fuzz' } });
  sessions = await Promise.all([undefined, '4242424242424242', '4000000000003220'].map((card) => openSession(merchant, card)));
  expect(sessions.map(({ token }) => token)).not.toContain('');
});

/** Texts that often break tables, parsers and pages. */
const odd = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ' ', '#', '%', '\0', '..', '__proto__', 'constructor', '🍰'.repeat(300), 'x'.repeat(1_033), 'é'.repeat(3_000)),
);
const either = <Value>(usual: fc.Arbitrary<Value>, other: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: other });

/**
 * Values of the route's path parameters. The account at Stripe only gets notices, because its pages
 * call Stripe.
 */
const segments = (session: Session) => ({
  account: fc.constantFrom(account, 'acct_unknown'),
  session: fc.constantFrom(session.id, 'cs_unknown'),
  provider: fc.constantFrom<string>(...gatewayNames),
});

const fieldNames = ['session', 'token', 'transaction_id', 'answer', 'card_number', 'first_name', 'last_name', 'email', 'phone'] as const;

const fieldsOf = (session: Session): fc.Arbitrary<Record<string, string>> => {
  const usual = {
    session: fc.constant(session.id),
    token: fc.constant(session.token),
    transaction_id: fc.constant(session.transaction_id),
    answer: fc.constantFrom('approve', 'decline'),
    card_number: fc.constantFrom('4242424242424242', '4000000000000002', '4000000000003220'),
    first_name: fc.constant('Ada'),
    last_name: fc.constant('Baker'),
    email: fc.emailAddress(),
    phone: fc.constant('1'),
  } as const satisfies Record<(typeof fieldNames)[number], fc.Arbitrary<string>>;
  return fc.record(Object.fromEntries(fieldNames.map((name) => [name, either(usual[name], odd)])), { requiredKeys: [] }) as never;
};

const encoded = (fields: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, value.toWellFormed()])).toString();

const bodyOf = (session: Session): fc.Arbitrary<Sent['body']> =>
  fc.oneof(
    { weight: 4, arbitrary: fieldsOf(session).map(encoded) },
    fc.json(),
    fc.uint8Array({ maxLength: 500 }),
    fc.constantFrom(undefined, '', '%', '&=&', 'x'.repeat(300_000)),
  );

const headerValue = odd.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 1_000));
const headers = fc.record(
  {
    cookie: headerValue,
    'content-type': fc.oneof(fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain'), headerValue),
    origin: headerValue,
    'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none', ''),
    'stripe-signature': fc.oneof(headerValue, fc.constant('t=1,v1=00')),
    'x-forwarded-proto': headerValue,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Record<string, string>>;

/** Short enough that a request line with several stays below the gateway's 16 KB. */
const brief = odd.map((text) => [...text].slice(0, 100).join('').toWellFormed());

const query = fc.oneof(
  fc.constant(''),
  fc.dictionary(brief, brief, { maxKeys: 4 }).map((fields) => `?${encoded(fields)}`),
  fc.stringMatching(/^[!-"$-;=?-_a-z~%&]{0,40}$/).map((text) => `?${text}`),
);

const pathSegment = odd.map((text) => encodeURIComponent(text.slice(0, 1_033).toWellFormed())).filter((text) => !/^\.{0,2}$/.test(text));

const pathOf = (template: string, session: Session): fc.Arbitrary<string> =>
  template.split('/').reduce<fc.Arbitrary<string>>((path, part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1] as keyof ReturnType<typeof segments> | undefined;
    const next = name === undefined ? fc.constant(part) : either(segments(session)[name], pathSegment);
    return fc.tuple(path, next).map(([before, after]) => (before === '' && after === '' ? '' : `${before}/${after}`.replace('//', '/')));
  }, fc.constant(''));

const requests = (template: string, usual: string): fc.Arbitrary<Sent> =>
  fc.constantFrom(...sessions).chain((session) =>
    fc.record({
      method: either(fc.constant(usual), fc.constantFrom('GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE')),
      path: pathOf(template, session),
      query,
      headers,
      body: bodyOf(session),
    }),
  );

const expectNo5xx = (arbitrary: fc.Arbitrary<Sent>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(arbitrary, async (sent) => {
      const { status } = await send(sent.method === 'GET' || sent.method === 'HEAD' ? { ...sent, body: undefined } : sent);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 100 },
  );

test.each(routes)('$method $path returns no 5xx for any body, query and cookies', ({ path, method }) =>
  expectNo5xx(requests(path, method)),
);

test('a notice to an account with Stripe returns no 5xx for any content', async () => {
  const path = `/checkout/${stripeAccount}/notices/{provider}`;
  await expectNo5xx(requests(path, 'POST').map((sent) => ({ ...sent, method: 'POST' })));
});

test.each([
  '/',
  '/checkout',
  '/{session}',
  '/api/v1/{session}',
  '/docs/{session}',
  '/_local/{session}',
  '/collections/{session}/documents/search',
])('%s returns no 5xx for any body, query and cookies', (path) => expectNo5xx(requests(path, 'GET')));
