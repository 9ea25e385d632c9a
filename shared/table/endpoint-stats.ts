import { isoFromMs, notBefore } from '../core/time.ts';
import { endpointDisabled } from '../domain/account/notice.ts';
import { autoDisableAfter, autoDisableReason, type SlotLease } from '../domain/webhook/record.ts';
import type { Db } from './client.ts';
import { endpointKey, holdsSlots, slotAttribute } from './endpoints.ts';
import { attribute, every, expr } from './expressions.ts';
import { openNotices } from './notices.ts';
import { ConditionFailed, type Sent, sendAlone, tryCommit, updateItem } from './write.ts';

/** Outcomes of one invocation's attempts on one endpoint, combined (§ Delivery semantics 5). */
export interface EndpointOutcomes {
  readonly successes: number;
  readonly failures: number;
  /** Failures before the first success, or all if none succeeded. */
  readonly leadingFailures: number;
  /** Failures after the last success. */
  readonly trailingFailures: number;
  /** Longest run of failures after the first success. */
  readonly longestRunAfterFirstSuccess: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  /** The slots to release. `lease` is the lease that holds them. */
  readonly slots: readonly number[];
  readonly lease: SlotLease;
}

const maxTries = 6;

export const openEndpointStats = (db: Db) => {
  const notices = openNotices(db);

  const count = (account: string, endpoint: string, outcomes: EndpointOutcomes, disable: boolean, floor: string): Promise<Sent> => {
    const { successes, failures, leadingFailures, trailingFailures, lastSuccessAt, lastFailureAt, slots, lease } = outcomes;
    const nowMs = db.clock.now();
    const { updated_at } = notBefore({ updated_at: floor }, { updated_at: isoFromMs(nowMs) });
    const certain = leadingFailures >= autoDisableAfter || outcomes.longestRunAfterFirstSuccess >= autoDisableAfter;
    const room = certain ? 0 : autoDisableAfter - leadingFailures;
    const change = updateItem(db, endpointKey({ account, id: endpoint }), {
      set: {
        last_delivery_at: [lastSuccessAt ?? '', lastFailureAt ?? ''].sort().at(-1) || undefined,
        last_success_at: lastSuccessAt ?? undefined,
        last_failure_at: lastFailureAt ?? undefined,
        consecutive_failures: successes > 0 ? trailingFailures : undefined,
        ...(disable && { enabled: false, disabled_reason: autoDisableReason, disabled_ms: nowMs, updated_at }),
      },
      remove: slots.map(slotAttribute),
      add: { success_count: successes, failure_count: failures, ...(successes === 0 && { consecutive_failures: failures }) },
      where: every(
        ...slots.map((slot) => expr`${attribute(slotAttribute(slot))} = ${lease}`),
        // The endpoint is disabled if the stored count and the leading failures together make 10 in
        // a row.
        disable
          ? expr`enabled = ${true} AND consecutive_failures >= ${room} AND updated_at <= ${updated_at}`
          : expr`enabled = ${false} OR consecutive_failures < ${room}`,
      ),
      showOld: true,
    });
    if (!disable || !notices.isOn) return sendAlone(db, change);
    return tryCommit(db, [change, notices.write(endpointDisabled(account, endpoint, nowMs), nowMs)]);
  };

  return {
    /**
     * Counts the outcomes and releases the slots in one write. The write also disables the endpoint
     * if they complete 10 failures in a row; returns whether it did. A repeated call counts once.
     */
    async record(account: string, endpoint: string, outcomes: EndpointOutcomes): Promise<boolean> {
      // The conditions of the two writes exclude each other. If the condition of one fails, the
      // other is met, unless another write comes between.
      let updatedAt = '';
      for (let tries = 1, disable = false; ; tries++, disable = !disable) {
        const { done, item } = await count(account, endpoint, outcomes, disable, updatedAt);
        if (done) return disable;
        if (tries === maxTries) throw new ConditionFailed(item);
        // The endpoint is deleted, or an earlier call counted and its response was lost. Counting
        // released the slots.
        if (!holdsSlots(item, outcomes.slots, outcomes.lease)) return false;
        updatedAt = (item?.['updated_at'] as string | undefined) ?? '';
      }
    },
  };
};
