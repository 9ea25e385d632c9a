import { isDeepStrictEqual } from 'node:util';
import type { DeliveryRecord, Endpoint } from '../domain/webhook/record.ts';
import type { Db } from './client.ts';
import {
  type AttemptOutcome,
  type AttemptRef,
  type DeliveryRef,
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
import { attribute, every, expr } from './expressions.ts';
import { readUnexpired } from './keys.ts';
import { sendAlone, updateItem } from './write.ts';

/** Records that an attempt needs. */
export interface AttemptParts {
  /** Undefined if the record no longer exists. */
  readonly record: DeliveryRecord | undefined;
  /** The event's body; undefined after its retention. */
  readonly body: string | undefined;
  /** The endpoint, if it was requested; undefined if it is deleted. */
  readonly endpoint: Endpoint | undefined;
}

export const openAttempts = (db: Db) => ({
  /** Reads the records that an attempt needs, consistently. */
  async read({ ref, withEndpoint }: { readonly ref: DeliveryRef; readonly withEndpoint: boolean }): Promise<AttemptParts> {
    const [kept, registered] = await Promise.all([
      readUnexpired(db, deliveryKey(ref)),
      withEndpoint ? db.get(endpointKey({ account: ref.account, id: ref.endpoint })) : undefined,
    ]);
    const record = kept && decodeDelivery(kept);
    const body = kept && (decodeBody(kept) ?? (await openEvents(db).get(ref.account, ref.event))?.body);
    return { record, body, endpoint: registered && decodeEndpoint(registered) };
  },
  /**
   * Adds an attempt to the history of its run if a redelivery has ended that run during the
   * attempt. A repeated call adds nothing. Returns false if another attempt has this number.
   */
  async keepSuperseded(ref: AttemptRef, outcome: AttemptOutcome): Promise<boolean> {
    const entry = historyEntry(ref.attempt, outcome);
    const name = historyAttribute(ref.run);
    const history = attribute(name);
    const change = updateItem(db, deliveryKey(ref), {
      set: { [name]: withEntry(name, entry) },
      // The history must have exactly as many attempts as come before this one, so a repeated call
      // adds nothing.
      where: every(
        expr`view.run > ${ref.run} AND view.run < ${ref.run + keptRuns}`,
        expr`attribute_not_exists(${history}) OR size(${history}) <= ${ref.attempt}`,
      ),
      showOld: true,
    });
    const { done, item } = await sendAlone(db, change);
    if (done) return true;
    if (!item || decodeDelivery(item).run <= ref.run) return false;
    // Either the history of the run is no longer kept, or an earlier call added the attempt and its
    // response was lost.
    const kept = item[name] as readonly HistoryEntry[] | undefined;
    return decodeDelivery(item).run >= ref.run + keptRuns || isDeepStrictEqual(kept?.[ref.attempt], entry);
  },
});
