import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DeliveryRecord, Endpoint } from '../domain/webhook/record.ts';
import type { Db } from './client.ts';
import type { AttemptOutcome, AttemptRef, DeliveryRef } from './delivery-items.ts';
import {
  decodeBody,
  decodeDelivery,
  deliveryKey,
  type HistoryEntry,
  historyAttribute,
  historyEntry,
  keptRuns,
  withEntry,
} from './delivery-items.ts';
import { decodeEndpoint, endpointKey } from './endpoints.ts';
import { openEvents } from './events.ts';
import { attribute, every, expr, showOld, update } from './expressions.ts';
import { isExpired } from './keys.ts';
import { sendAlone } from './write.ts';

/** Records that an attempt needs. */
export interface AttemptParts {
  /** Undefined if the record no longer exists. */
  readonly record: DeliveryRecord | undefined;
  /** The event's body; undefined after its retention. */
  readonly body: string | undefined;
  /** The endpoint, if it was requested; undefined if it is deleted. */
  readonly endpoint: Endpoint | undefined;
}

interface AttemptRequest {
  readonly ref: DeliveryRef;
  readonly withEndpoint: boolean;
}

interface Attempts {
  /** Reads the records that an attempt needs, consistently. */
  read(request: AttemptRequest): Promise<AttemptParts>;
  /**
   * Adds an attempt to the history of its run if a redelivery has ended that run during the
   * attempt. A repeated call adds nothing. Returns false if another attempt has this number.
   */
  keepSuperseded(ref: AttemptRef, outcome: AttemptOutcome): Promise<boolean>;
}

export const openAttempts = (db: Db): Attempts => ({
  async read({ ref, withEndpoint }) {
    const [item, registered] = await Promise.all([
      db.get(deliveryKey(ref)),
      withEndpoint ? db.get(endpointKey({ account: ref.account, id: ref.endpoint })) : undefined,
    ]);
    const kept = item && !isExpired(item, db.clock.now()) ? item : undefined;
    const record = kept && decodeDelivery(kept);
    const body = kept && (decodeBody(kept) ?? (await openEvents(db).get(ref.account, ref.event))?.body);
    return { record, body, endpoint: registered && decodeEndpoint(registered) };
  },
  async keepSuperseded(ref, outcome) {
    const entry = historyEntry(ref.attempt, outcome);
    const name = historyAttribute(ref.run);
    const history = attribute(name);
    const change = update(db.table, deliveryKey(ref), {
      set: { [name]: withEntry(name, entry) },
      // The history must have exactly as many attempts as come before this one, so a repeated call
      // adds nothing.
      where: every(
        expr`view.run > ${ref.run} AND view.run < ${ref.run + keptRuns}`,
        expr`attribute_not_exists(${history}) OR size(${history}) <= ${ref.attempt}`,
      ),
    });
    const { done, item } = await sendAlone(db, new UpdateCommand({ ...change, ...showOld }));
    if (done) return true;
    if (!item || decodeDelivery(item).run <= ref.run) return false;
    // Either the history of the run is no longer kept, or an earlier call added the attempt and its
    // response was lost.
    const kept = item[name] as readonly HistoryEntry[] | undefined;
    return decodeDelivery(item).run >= ref.run + keptRuns || isDeepStrictEqual(kept?.[ref.attempt], entry);
  },
});
