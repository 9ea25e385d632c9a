import { deflateRawSync } from 'node:zlib';
import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook/record.ts';
import { pendingDelivery } from '../../shared/domain/webhook/record.ts';
import { createEndpoint } from '../support/records.ts';
import type { Dashboard } from './dashboard.ts';

/** The stored body of an expense's event. */
export const expenseBody = '{"type":"expense.created","data":{"object":{"id":"exp_1"}}}';

/** The part of a dashboard, or of a world, that holds records. */
interface Ground {
  readonly services: Pick<Dashboard['services'], 'store' | 'clock' | 'newId'>;
  readonly clock: Dashboard['clock'];
}

/** Registers an endpoint for expense.created; the default host does not exist. */
export const addEndpoint = async ({ services, clock }: Ground, account: string, fields: Partial<Endpoint> = {}): Promise<string> => {
  const url = `https://receiver.example.com/${services.newId('whe', clock.now())}`;
  return (await createEndpoint({ store: services.store, clock }, account, url, { enabled_ms: 0, ...fields })).id;
};

/**
 * Stores a delivery (by default failed after five attempts) and its event. Returns the event's id.
 */
export const addDelivery = async (
  { services }: Pick<Dashboard, 'services'>,
  of: { readonly account: string; readonly endpoint: string },
  { eventAgeMs = 0, ...fields }: Partial<DeliveryRecord> & { readonly eventAgeMs?: number } = {},
): Promise<string> => {
  const { store, clock, newId } = services;
  const nowMs = clock.now();
  const id = fields.id ?? newId('evt', nowMs);
  const now = new Date(nowMs).toISOString();
  const failed = {
    status: 'failed',
    attempts: 5,
    last_status_code: 500,
    last_error: 'http_error',
    last_attempt_at: now,
    failed_at: now,
  } as const;
  const record: DeliveryRecord = { ...pendingDelivery({ ...of, id, type: 'expense.created' }, nowMs), ...failed, ...fields };
  await store.events.create({
    id,
    account: of.account,
    type: record.type,
    body: expenseBody,
    createdMs: nowMs - eventAgeMs,
  });
  const { status, attempts, run, last_status_code: statusCode, last_error: error } = record;
  if (status === 'pending') {
    await store.deliveries.create(record);
    // Makes the delivery look as if its message had returned to the queue.
    await store.deliveries.makeDueAt({ ...of, event: id, run, attempt: attempts }, nowMs);
  } else {
    const failures = Math.max(0, attempts - 1);
    await store.deliveries.create({ ...record, status: 'pending', attempts: failures });
    await store.deliveries.finish({ ...of, event: id, run, attempt: failures }, 'token', {
      ...{ status, attempts, statusCode, error, durationMs: 0, nextAtMs: null },
      atMs: nowMs,
    });
  }
  return id;
};

/**
 * Stores an event where fan-out stores it if it reads a change again and other endpoints subscribe by
 * then: in the records of endpoints that were alone, and in its own item.
 */
export const storeTwice = async (
  { services }: Pick<Ground, 'services'>,
  account: string,
  body: string,
  { alone, hasOwnItem }: { readonly alone: readonly string[]; readonly hasOwnItem: boolean },
): Promise<void> => {
  const { store, clock } = services;
  const { id, type } = JSON.parse(body) as { readonly id: string; readonly type: string };
  for (const endpoint of alone)
    await store.deliveries.create(pendingDelivery({ account, endpoint, id, type }, clock.now()), deflateRawSync(body));
  if (hasOwnItem) await store.events.create({ id, account, type, body, createdMs: clock.now() });
};

export const eventStorageCases = [
  ['the records of two endpoints', { records: 2, hasOwnItem: false }],
  ['the record of an endpoint and an item of its own', { records: 1, hasOwnItem: true }],
] as const;
