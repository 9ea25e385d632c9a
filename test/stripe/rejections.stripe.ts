import { expect, test } from '@jest/globals';
import { connectMock } from './mock.ts';

const valid = 'mode=payment&success_url=https%3A%2F%2Fshop.example.com&line_items[0][quantity]=1&line_items[0][price]=price_1';

test.each([
  ['an unknown parameter', '/v1/checkout/sessions', `${valid}&nonsense=1`],
  ['a parameter of another type', '/v1/checkout/sessions', `${valid}&expires_at=soon`],
  ['a value that is not in the list', '/v1/checkout/sessions', `${valid}&mode=gift`],
  ['an unknown path', '/v1/checkout/baskets', valid],
])('stripe-mock rejects %s, so that the suite can fail', async (_, path, body) => {
  const mock = await connectMock();
  expect(await mock?.rejectionOf({ method: 'POST', path: '/v1/checkout/sessions', body: valid })).toBeUndefined();
  expect(await mock?.rejectionOf({ method: 'POST', path, body })).toMatchObject({ type: 'invalid_request_error' });
});
