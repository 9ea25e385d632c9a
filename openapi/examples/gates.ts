import { webhookTestRule } from '../../shared/http/rate-limits.ts';
import type { Stage } from './stage.ts';

/** Refusals that close the account for what comes after them: they are played last. */
export const playGates = async ({ account, act, call, keys, later, send }: Stage, endpoint: string): Promise<void> => {
  const order = { items: [{ name: 'Roll', quantity: 1, unit_price: 2 }] };
  await act('account.update', { id: account, order_limit: 1 });
  await call('createOrder', 'limitReached', { summary: 'One order more than the plan has', body: order, status: 403 });
  later();
  for (let sent = 0; sent < webhookTestRule.limit; sent++) await send('testWebhook', { id: endpoint });
  await call('testWebhook', 'tooMany', { summary: 'Too many tests in a minute', id: endpoint, status: 429 });
  await act('account.update', { id: account, plan: 'starter' });
  await call('getAvailability', 'planRequired', { summary: 'An account on another plan', key: keys.publishable, status: 403 });
  await act('account.update', { id: account, plan: 'business', status: 'suspended' });
  await call('listOrders', 'accountInactive', { summary: 'An account that is suspended', status: 403 });
};
