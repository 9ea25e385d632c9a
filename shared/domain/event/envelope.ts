import { createHash } from 'node:crypto';
import { makeId } from '../../core/ids.ts';
import { isoFromMs } from '../../core/time.ts';
import type { WebhookTestMessage } from '../webhook/fields.ts';
import { testEventType } from './types.ts';

/** Version of the envelope, independent of the API's (§ Versioning). */
const apiVersion = 'v1';

interface EventContent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds of the change. */
  readonly createdSeconds: number;
  readonly account: string;
  /** The payload, `data.object`. */
  readonly object: unknown;
}

/**
 * Returns the body of an event. It is made once; every delivery sends the same bytes (§ Envelope).
 */
export const encodeEvent = ({ id, type, createdSeconds, account, object }: EventContent): string =>
  JSON.stringify({ id, type, created: createdSeconds, api_version: apiVersion, data: { object }, tenant_id: account });

/** An event of a stored body, with the fields that erasures read. */
export interface SentEvent {
  readonly type: string;
  /** Unix seconds. */
  readonly created: number;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

/** Returns the event of a stored body. */
export const decodeEvent = (body: string): SentEvent => JSON.parse(body) as SentEvent;

/** Returns the id in the payload's field that the table names for the event's resource. */
const idIn = ({ type, data: { object } }: SentEvent, fields: Readonly<Record<string, string>>): string | undefined => {
  const field = fields[type.slice(0, type.indexOf('.'))];
  const id = field === undefined ? undefined : object[field];
  return typeof id === 'string' ? id : undefined;
};

/** Returns the customer id of an event, if it has one. */
export const customerIdOfEvent = (event: SentEvent): string | undefined =>
  idIn(event, { customer: 'id', order: 'customer_id', payment: 'customer_id' });

/** Returns the id of the order that an event is about, if it is about one. */
export const orderIdOfEvent = (event: SentEvent): string | undefined => idIn(event, { order: 'id', payment: 'order_id' });

/** Identifies a record of the change stream. */
interface StreamPosition {
  readonly eventId: string;
  readonly partition: string;
  readonly sort: string;
}

/**
 * Returns the id of the event that a stream record leads to. It sorts by the time of the change,
 * and every reading of the record gives the same id.
 */
export const eventIdOf = ({ eventId, partition, sort }: StreamPosition, type: string, changedMs: number): string =>
  makeId(
    'evt',
    changedMs,
    createHash('sha256')
      .update(JSON.stringify([eventId, partition, sort, type, changedMs]))
      .digest(),
  );

const message = 'This is a test event from Bakery Commerce.';

/** Returns the body of a `webhook.test` event. */
export const encodeTestEvent = (id: string, account: string, nowMs: number): string => {
  const object: WebhookTestMessage = { message, timestamp: isoFromMs(nowMs) };
  return encodeEvent({ id, type: testEventType, createdSeconds: Math.floor(nowMs / 1000), account, object });
};
