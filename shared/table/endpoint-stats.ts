import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isoFromMs, notBefore } from '../core/time.ts';
import { autoDisableAfter, autoDisableReason, type SlotLease } from '../domain/webhook/record.ts';
import type { Db } from './client.ts';
import { endpointKey, holdsSlots, slotAttribute } from './endpoints.ts';

/** The attempts of one invocation on one endpoint, folded (§ Delivery semantics 5). */
export interface EndpointOutcomes {
  readonly successes: number;
  readonly failures: number;
  /** Failures before the first success; all of them where there is none. */
  readonly leadingFailures: number;
  /** Failures after the last success. */
  readonly trailingFailures: number;
  /** Longest run of failures behind the first success. */
  readonly longestRunAfterFirstSuccess: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  /** Slots to give back, and the lease they are held by. */
  readonly slots: readonly number[];
  readonly lease: SlotLease;
}

export interface EndpointStats {
  /**
   * Counts the outcomes and gives the slots back in one write, which also disables the endpoint where they complete a run of
   * 10 failures. True where it did. Repeated, it counts once.
   */
  record(account: string, endpoint: string, outcomes: EndpointOutcomes): Promise<boolean>;
}

/** Assignments and their values that hold only where `when` does. */
const only = (when: unknown, assignments: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  when ? assignments : {};

const maxTries = 6;

export const openEndpointStats = (db: Db): EndpointStats => {
  const update = async (account: string, endpoint: string, outcomes: EndpointOutcomes, disable: boolean, floor: string): Promise<void> => {
    const { successes, failures, leadingFailures, trailingFailures, lastSuccessAt, lastFailureAt, slots, lease } = outcomes;
    const nowMs = db.clock.now();
    const { updated_at } = notBefore({ updated_at: floor }, { updated_at: isoFromMs(nowMs) });
    const lastAt = [lastSuccessAt ?? '', lastFailureAt ?? ''].sort().at(-1);
    const set = {
      ...only(lastAt, { last_delivery_at: lastAt }),
      ...only(lastSuccessAt, { last_success_at: lastSuccessAt }),
      ...only(lastFailureAt, { last_failure_at: lastFailureAt }),
      ...only(successes > 0, { consecutive_failures: trailingFailures }),
      ...only(disable, { enabled: false, disabled_reason: autoDisableReason, disabled_ms: nowMs, updated_at }),
    };
    const add = { success_count: successes, failure_count: failures, ...only(successes === 0, { consecutive_failures: failures }) };
    const certain = leadingFailures >= autoDisableAfter || outcomes.longestRunAfterFirstSuccess >= autoDisableAfter;
    const names = [...Object.keys(set), ...Object.keys(add), 'enabled', 'consecutive_failures'];
    await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: endpointKey({ account, id: endpoint }),
        UpdateExpression: [
          ...(Object.keys(set).length > 0 ? [`SET ${Object.keys(set).map((name) => `#${name} = :${name}`)}`] : []),
          `REMOVE ${slots.map(slotAttribute)}`,
          `ADD ${Object.keys(add).map((name) => `#${name} :${name}`)}`,
        ].join(' '),
        ConditionExpression: [
          ...slots.map((slot) => `${slotAttribute(slot)} = :lease`),
          // The run completes where the failures counted so far leave no room for the leading ones.
          disable
            ? '#enabled = :true AND #consecutive_failures >= :room AND #updated_at <= :updated_at'
            : '(#enabled = :disabled OR #consecutive_failures < :room)',
        ].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries({ ...set, ...add }).map(([name, value]) => [`:${name}`, value])),
          ':lease': lease,
          ':room': certain ? 0 : autoDisableAfter - leadingFailures,
          ...(disable ? { ':true': true } : { ':disabled': false }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  };

  return {
    async record(account, endpoint, outcomes) {
      // Two conditions that exclude each other: the other one holds, unless another write comes between.
      let updatedAt = '';
      for (let tries = 1, disable = false; ; tries++, disable = !disable) {
        try {
          await update(account, endpoint, outcomes, disable, updatedAt);
          return disable;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException) || tries === maxTries) throw error;
          // Gone, or counted before and only the answer was lost: the slots went back with the count.
          if (!holdsSlots(error.Item, outcomes.slots, outcomes.lease)) return false;
          updatedAt = error.Item?.['updated_at']?.S ?? '';
        }
      }
    },
  };
};
