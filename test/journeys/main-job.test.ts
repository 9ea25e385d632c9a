import { expect, test } from '@jest/globals';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { isSignedWith } from '../webhook-endpoints/signature.ts';

const journey = shared(() => startJourney({ regions: ['us'] }));
let merchant: Merchant;

test("an expense written through the API is sent to a webhook receiver once, signed, and is in the endpoint's history", async () => {
  merchant = await journey.merchant();
  const hook = journey.receiver.hook();
  const { id: endpoint, secret } = await merchant.api.webhooks.create({ url: hook.url, events: ['expense.created'] });

  const expense = await merchant.api.expenses.create({
    amount: 42.505,
    date: '2026-03-01',
    category: 'Ingredients',
    description: 'Flour <b>& butter</b>',
    supplier: { id: 'sup_1', name: 'Old Mill' },
  });

  await eventually(
    () => hook.requests.length,
    (count) => count === 1,
  );
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = hook.requests;
  const event = await verifyWebhook({ rawBody: body, headers, secrets: secret });
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'expense.created',
    created: expect.any(Number),
    api_version: 'v1',
    tenant_id: merchant.account,
    data: {
      object: {
        id: expense.id,
        amount: 42.51,
        currency: 'USD',
        category: 'ingredients',
        description: 'Flour <b>& butter</b>',
        date: '2026-03-01T00:00:00.000Z',
        status: 'submitted',
        supplier_id: 'sup_1',
        supplier_name: 'Old Mill',
        payment_status: null,
        payment_method: null,
        payment_reference: null,
        external_id: null,
        created_at: expense.created_at,
        updated_at: expense.updated_at,
      },
    },
  });
  expect(Math.abs(event.created - Date.parse(expense.created_at) / 1000)).toBeLessThan(2);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'BakeryCommerce-Webhooks/1.0',
    'x-webhook-id': event.id,
    'idempotency-key': event.id,
  });
  const signature = String(headers['x-webhook-signature']);
  expect([isSignedWith(secret, signature, body), signature.startsWith(`t=${headers['x-webhook-timestamp']},`)]).toEqual([true, true]);

  const { delivery_stats } = await eventually(
    () => merchant.api.webhooks.retrieve(endpoint),
    ({ delivery_stats: { success_count } }) => success_count > 0,
  );
  const log = await merchant.api.webhooks.listEvents(endpoint, { status: 'delivered' });
  expect(log).toEqual({
    data: [
      {
        id: event.id,
        type: 'expense.created',
        status: 'delivered',
        attempts: 0,
        last_status_code: 200,
        last_error: null,
        next_retry_at: null,
        last_attempt_at: log.data[0]?.delivered_at,
        delivered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        failed_at: null,
        created_at: expense.created_at,
      },
    ],
    pagination: { limit: 50, has_more: false, next_cursor: null, prev_cursor: null },
  });
  expect(delivery_stats).toEqual({
    success_count: 1,
    failure_count: 0,
    consecutive_failures: 0,
    last_delivery_at: delivery_stats.last_success_at,
    last_success_at: expect.any(String),
    last_failure_at: null,
  });
  expect(hook.requests).toHaveLength(1);
});
