import { expect, test } from '@jest/globals';
import { type Account, accountStatuses, emitsEvents, hasRestApi, isServed, plans } from '../../../shared/domain/account/record.ts';
import { eventTypes, testEventType } from '../../../shared/domain/event/types.ts';

const account = (members: Partial<Account>): Account => ({
  id: 'acct_1',
  name: 'Crumb',
  region: 'us',
  plan: 'business',
  status: 'active',
  currency: null,
  order_limit: null,
  timezone: 'UTC',
  created_at: '',
  updated_at: '',
  ...members,
});

test('only the Business plan includes the REST API', () => {
  expect(plans.filter((plan) => hasRestApi(account({ plan })))).toEqual(['business']);
});

test('active accounts and those in grace are served', () => {
  expect(accountStatuses.filter((status) => isServed(account({ status })))).toEqual(['active', 'grace']);
});

test('every account emits events unless it is closed', () => {
  expect(accountStatuses.filter((status) => emitsEvents(account({ status })))).toEqual(['active', 'grace', 'suspended']);
});

test('the subscribable types are distinct and exclude the test event', () => {
  expect(new Set(eventTypes).size).toBe(eventTypes.length);
  expect(eventTypes).not.toContain(testEventType);
});
