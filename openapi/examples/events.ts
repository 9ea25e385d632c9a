import { type CreatedByApi, cause, causes, type Made, type Samples, type Writer } from '../../ops/event-causes.ts';
import { type EventType, eventTypes } from '../../shared/domain/event/types.ts';
import type { Stage } from './stage.ts';

const samples: Samples = {
  order: {
    customer: { first_name: 'Jonas', last_name: 'Lind', email: 'jonas@example.com' },
    items: [{ name: 'Rye loaf', quantity: 4, unit_price: 7.5 }],
    delivery_date: '2026-03-14',
  },
  customer: { first_name: 'Jonas', last_name: 'Lind', email: 'jonas@example.com' },
  product: { name: 'Rye loaf', price: 7.5, category: 'bread' },
  payment: () => ({ amount: 100, method: 'card', gateway: { provider: 'stripe', transaction_id: 'ch_4711' } }),
  quickSale: {
    date: '2026-03-08',
    location: 'Market square',
    items: [{ name: 'Roll', quantity: 12, unit_price: 1.5 }],
    payment_method: 'cash',
  },
  expense: { amount: 62.4, date: '2026-03-09', category: 'packaging', description: 'Cake boxes', status: 'draft' },
  inventoryItem: {
    type: 'ingredient',
    name: 'Flour',
    category: 'dry',
    current_stock: 20,
    reorder_point: 5,
    unit: 'kg',
    supplier_name: 'Old Mill',
  },
};

const creators: Readonly<Record<CreatedByApi, (stage: Stage, body: unknown) => Promise<{ readonly id: string }>>> = {
  order: ({ call }, body) => call('createOrder', 'details', { summary: 'By details of the customer', body, status: 201 }),
  customer: ({ call }, body) => call('createCustomer', 'minimal', { summary: 'A new customer', body, status: 201 }),
};

/** The writes that emit each type of event, and what a receiver gets. Resolves with the id of the endpoint for all of them. */
export const playEvents = async (stage: Stage): Promise<string> => {
  const { act, call, heard, hooks, later } = stage;
  const endpoint = await call('createWebhook', 'everything', {
    summary: 'For every type',
    body: { url: `${hooks}/hooks/bakery`, events: [...eventTypes] },
    status: 201,
  });
  const writer: Writer = {
    act,
    create: (what, body) => creators[what](stage, body),
  };
  const made: Made = {};
  // Each in a minute of its own.
  for (const type of Object.keys(causes) as EventType[]) {
    later();
    await heard(type, await cause(type, writer, samples, made));
  }
  later();
  await call('testWebhook', 'everything', { summary: 'An endpoint of every type', id: endpoint.id, status: 200 });
  await heard('webhook.test');
  return endpoint.id;
};
