import { randomBytes } from 'node:crypto';
import { randomId } from '../../shared/core/ids.ts';
import { systemRandom } from '../../shared/core/random.ts';
import { type Account, emitsEvents } from '../../shared/domain/account/record.ts';
import type { Expense } from '../../shared/domain/expense/fields.ts';
import { noPayment } from '../../shared/domain/expense/rules.ts';
import { type Endpoint, freeSlotsClaim, type SlotLease } from '../../shared/domain/webhook/record.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';
import type { World } from './world.ts';

/** An expense as the API makes it. */
export const expenseOf = (nowMs: number, fields: Partial<Expense> = {}): Expense => {
  const now = new Date(nowMs).toISOString();
  return {
    id: randomId('exp', nowMs),
    amount: 12.5,
    currency: 'USD',
    category: 'packaging',
    subcategory: null,
    description: null,
    notes: null,
    tags: [],
    date: 1_772_323_200,
    status: 'submitted',
    source: 'api',
    editable: true,
    supplier: null,
    payment: noPayment,
    tax: null,
    external_id: null,
    auto_generated: false,
    transaction_count: null,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    ...fields,
  };
};

/** Writes expenses past the API, so that the stream has their changes. */
export const writeExpense = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  fields: Partial<Expense> = {},
): Promise<Expense> => {
  const expense = expenseOf(clock.now(), fields);
  await store.commit([store.expenses.createWrite(account, expense)]);
  return expense;
};

/** Changes an expense as a dashboard action does. */
export const changeExpense = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  id: string,
  fields: Partial<Expense>,
): Promise<void> => {
  const stored = await store.expenses.get(account, id);
  if (!stored) throw new Error(`No expense ${id}.`);
  const expense = { ...stored.record, ...fields, updated_at: new Date(clock.now()).toISOString() };
  await store.commit([store.expenses.replaceWrite(account, expense, stored)]);
};

/** An endpoint for expense.created and expense.updated, unless said otherwise. */
export const createEndpoint = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  url: string,
  fields: Partial<Endpoint> = {},
): Promise<Endpoint> => {
  const now = new Date(clock.now()).toISOString();
  const endpoint: Endpoint = {
    id: randomId('whe', clock.now()),
    account,
    url,
    description: '',
    events: ['expense.created', 'expense.updated'],
    enabled: true,
    disabled_reason: null,
    account_closed: false,
    secret: newSecret(systemRandom),
    previous_secret: null,
    previous_secret_until_ms: null,
    success_count: 0,
    failure_count: 0,
    consecutive_failures: 0,
    last_delivery_at: null,
    last_success_at: null,
    last_failure_at: null,
    enabled_ms: clock.now(),
    disabled_ms: null,
    slots: [],
    created_at: now,
    updated_at: now,
    ...fields,
  };
  await store.commit(store.endpoints.createWrites(endpoint));
  return endpoint;
};

/** Returns the stored endpoint. Throws if it was deleted. */
export const endpointNow = async (
  { store }: Pick<World, 'store' | 'clock'>,
  { account, id }: Pick<Endpoint, 'account' | 'id'>,
): Promise<Endpoint> => {
  const endpoint = await store.endpoints.get(account, id);
  if (!endpoint) throw new Error(`No endpoint ${id}.`);
  return endpoint;
};

/** Leases up to `count` slots of an endpoint as it was read; none if it changed since. */
export const takeSlots = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  read: Endpoint,
  count: number,
  untilMs = clock.now() + 90_000,
): Promise<{ readonly slots: readonly number[]; readonly lease: SlotLease }> => {
  const lease: SlotLease = [untilMs, randomBytes(6).toString('base64url')];
  const claim = freeSlotsClaim(read, clock.now(), count);
  const { taken } = claim ? await store.endpoints.acquireSlots(read, claim, lease) : { taken: false };
  return { slots: taken && claim ? claim.slots : [], lease };
};

/** Closes an account, or opens it again, as the dashboard does. */
export const setAccountStatus = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  status: Account['status'],
): Promise<void> => {
  const updated_at = new Date(clock.now()).toISOString();
  const endpointWrites = store.endpoints.accountWrites(account, !emitsEvents({ status }), await store.endpoints.all(account));
  await store.commit([store.accounts.updateWrite(account, { status, updated_at }), ...endpointWrites]);
};

/** Every delivery record of an endpoint, newest first. */
export const recordsOf = async ({ store }: Pick<World, 'store' | 'clock'>, { account, id }: Pick<Endpoint, 'account' | 'id'>) =>
  (await store.deliveries.list(account, id, undefined, { limit: 1000 })).records;
