import { isoFromMs, withLaterTime } from '../core/time.ts';
import { endpointDisabled, endpointFailing, type FailedAttempt } from '../domain/account/notice.ts';
import type { FoldedOutcomes } from '../domain/webhook/outcomes.ts';
import { autoDisableAfter, autoDisableReason, type SlotLease, warnAfter } from '../domain/webhook/record.ts';
import type { Db, Item } from './client.ts';
import { endpointKey, holdsSlots, slotAttribute } from './endpoints.ts';
import { allOf, attribute, type Expression, expr } from './expressions.ts';
import { openNotices } from './notices.ts';
import { ConditionFailed, type SendResult, sendAlone, tryCommit, updateItem } from './write.ts';

/** Outcomes of one invocation's attempts on one endpoint, combined (§ Delivery semantics 5). */
export interface EndpointOutcomes extends FoldedOutcomes {
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  /** The last failed attempt; undefined without a failure. */
  readonly lastFailure?: FailedAttempt | undefined;
  /** The slots to release. `lease` is the lease that holds them. */
  readonly slots: readonly number[];
  readonly lease: SlotLease;
}

const maxTries = 6;

/**
 * What the write does with the endpoint: it only counts, also stores the notice of a failing endpoint,
 * or disables the endpoint.
 */
type Effect = 'count' | 'warn' | 'disable';

/** Returns the stored number of failures from which the outcomes disable the endpoint. */
const disablesFrom = ({ leadingFailures, longestRunAfterFirstSuccess }: EndpointOutcomes): number =>
  leadingFailures >= autoDisableAfter || longestRunAfterFirstSuccess >= autoDisableAfter ? 0 : autoDisableAfter - leadingFailures;

/**
 * Returns the stored numbers of failures with which the outcomes reach the fifth failure in a row: from
 * the first number to below the second.
 */
const warnsBetween = ({ leadingFailures, longestRunAfterFirstSuccess }: EndpointOutcomes): readonly [from: number, below: number] =>
  longestRunAfterFirstSuccess >= warnAfter ? [0, autoDisableAfter] : [warnAfter - leadingFailures, warnAfter];

export const openEndpointStats = (db: Db) => {
  const notices = openNotices(db);
  const rangeOf = (outcomes: EndpointOutcomes) => (notices.isOn ? warnsBetween(outcomes) : ([0, 0] as const));

  /** Returns what the outcomes do with the stored endpoint. */
  const effectOn = (item: Item | undefined, outcomes: EndpointOutcomes): Effect => {
    const stored = Number(item?.['consecutive_failures']);
    const [from, below] = rangeOf(outcomes);
    if (item?.['enabled'] !== true) return 'count';
    if (stored >= disablesFrom(outcomes)) return 'disable';
    return stored >= from && stored < below ? 'warn' : 'count';
  };

  /** Returns the condition under which the outcomes have this effect. The three exclude each other. */
  const whereEffect = (effect: Effect, outcomes: EndpointOutcomes, updatedAt: string): Expression => {
    const disables = disablesFrom(outcomes);
    const [from, below] = rangeOf(outcomes);
    if (effect === 'disable') return expr`enabled = ${true} AND consecutive_failures >= ${disables} AND updated_at <= ${updatedAt}`;
    const isEnabled = expr`consecutive_failures < ${disables}`;
    if (effect === 'warn')
      return expr`enabled = ${true} AND ${isEnabled} AND consecutive_failures >= ${from} AND consecutive_failures < ${below}`;
    if (from >= below) return expr`enabled = ${false} OR ${isEnabled}`;
    return expr`enabled = ${false} OR (${isEnabled} AND (consecutive_failures < ${from} OR consecutive_failures >= ${below}))`;
  };

  const count = (account: string, endpoint: string, outcomes: EndpointOutcomes, effect: Effect, floor: string): Promise<SendResult> => {
    const { successes, failures, trailingFailures, lastSuccessAt, lastFailureAt, lastFailure, slots, lease } = outcomes;
    const nowMs = db.clock.now();
    const { updated_at } = withLaterTime({ updated_at: floor }, { updated_at: isoFromMs(nowMs) });
    const change = updateItem(db, endpointKey({ account, id: endpoint }), {
      set: {
        last_delivery_at: [lastSuccessAt ?? '', lastFailureAt ?? ''].sort().at(-1) || undefined,
        last_success_at: lastSuccessAt ?? undefined,
        last_failure_at: lastFailureAt ?? undefined,
        consecutive_failures: successes > 0 ? trailingFailures : undefined,
        ...(effect === 'disable' && { enabled: false, disabled_reason: autoDisableReason, disabled_ms: nowMs, updated_at }),
      },
      remove: slots.map(slotAttribute),
      add: { success_count: successes, failure_count: failures, ...(successes === 0 && { consecutive_failures: failures }) },
      where: allOf(...slots.map((slot) => expr`${attribute(slotAttribute(slot))} = ${lease}`), whereEffect(effect, outcomes, updated_at)),
      showOld: true,
    });
    const notice = {
      count: undefined,
      warn: lastFailure && endpointFailing(account, endpoint, lastFailure, nowMs),
      disable: notices.isOn ? endpointDisabled(account, endpoint, nowMs) : undefined,
    }[effect];
    return notice ? tryCommit(db, [change, notices.write(notice, nowMs)]) : sendAlone(db, change);
  };

  return {
    /**
     * Counts the outcomes and releases the slots in one write. The write also disables the endpoint
     * if they complete 10 failures in a row; returns whether it did. With the fifth failure in a row it
     * stores a notice. A repeated call counts once.
     */
    async record(account: string, endpoint: string, outcomes: EndpointOutcomes): Promise<boolean> {
      // If a condition fails, the stored endpoint says which of the others is met, unless another
      // write comes between.
      let updatedAt = '';
      let effect: Effect = 'count';
      for (let tries = 1; ; tries++) {
        const { done, item } = await count(account, endpoint, outcomes, effect, updatedAt);
        if (done) return effect === 'disable';
        if (tries === maxTries) throw new ConditionFailed(item);
        // The endpoint is deleted, or an earlier call counted and its response was lost. Counting
        // released the slots.
        if (!holdsSlots(item, outcomes.slots, outcomes.lease)) return false;
        effect = effectOn(item, outcomes);
        updatedAt = (item?.['updated_at'] as string | undefined) ?? '';
      }
    },
  };
};
