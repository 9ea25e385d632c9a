import { type FormatVersions, isId, readVersioned } from '../core/format-version.ts';

/**
 * A message of the delivery queue: one attempt of one event at one endpoint. A schedule holds the
 * same message until it sends it to the queue.
 */
export interface DeliveryMessage {
  readonly account: string;
  readonly endpoint: string;
  /** The event id. */
  readonly event: string;
  /** Rises with each redelivery; messages of earlier runs are stale. */
  readonly run: number;
  /** Number of failed attempts before this attempt. */
  readonly attempt: number;
  /**
   * Time before which the attempt must not be made, in milliseconds. `deliver` then passes the
   * message to a schedule, which sends it without this field.
   */
  readonly notBeforeMs?: number;
  /**
   * How often the message returned to the queue because the endpoint had no free slot; 0 if absent.
   */
  readonly bounces?: number;
}

/**
 * Every later version must read version 1, because dead letters are kept for 14 days and redriven
 * by hand.
 */
export const messageVersions: FormatVersions = { written: 1, readable: [1] };

/**
 * Returns the JSON text of a queue message or a schedule. If a reader does not know the version,
 * the message becomes a dead letter.
 */
export const encodeMessage = ({ account, endpoint, event, run, attempt, notBeforeMs, bounces }: DeliveryMessage): string =>
  JSON.stringify({ v: messageVersions.written, account, endpoint, event, run, attempt, notBeforeMs, ...(bounces ? { bounces } : {}) });

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Returns undefined if the text is not a message of a readable version. */
export const decodeMessage = (text: string): DeliveryMessage | undefined => {
  const { account, endpoint, event, run, attempt, notBeforeMs, bounces = 0 } = readVersioned(text, messageVersions);
  if (!isId(account) || !isId(endpoint) || !isId(event)) return undefined;
  if (!isCount(run) || !isCount(attempt) || !isCount(bounces)) return undefined;
  const optional = { ...(isCount(notBeforeMs) && { notBeforeMs }), ...(bounces > 0 && { bounces }) };
  return { account, endpoint, event, run, attempt, ...optional };
};
