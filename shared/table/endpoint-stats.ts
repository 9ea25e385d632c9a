import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { isoFromMs } from '../core/time.ts';
import { autoDisableAfter, autoDisableReason } from '../domain/webhook.ts';
import type { Db } from './client.ts';
import { slotAttribute } from './endpoints.ts';
import { partition } from './keys.ts';

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
  /** Slots to give back. */
  readonly slots: readonly number[];
}

export interface EndpointStats {
  /** Counts the outcomes in one write, which also disables the endpoint where they complete a run of 10 failures. True where it did. */
  record(account: string, endpoint: string, outcomes: EndpointOutcomes): Promise<boolean>;
}

/** Assignments and their values that hold only where `when` does. */
const only = (when: unknown, assignments: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  when ? assignments : {};

export const openEndpointStats = (db: Db): EndpointStats => {
  const update = async (account: string, endpoint: string, outcomes: EndpointOutcomes, disable: boolean): Promise<void> => {
    const { successes, failures, leadingFailures, trailingFailures, lastSuccessAt, lastFailureAt, slots } = outcomes;
    const nowMs = db.clock.now();
    const set = {
      last_delivery_at: [lastSuccessAt ?? '', lastFailureAt ?? ''].sort().at(-1),
      ...only(lastSuccessAt, { last_success_at: lastSuccessAt }),
      ...only(lastFailureAt, { last_failure_at: lastFailureAt }),
      ...only(successes > 0, { consecutive_failures: trailingFailures }),
      ...only(disable, { enabled: false, disabled_reason: autoDisableReason, disabled_ms: nowMs, updated_at: isoFromMs(nowMs) }),
    };
    const add = { success_count: successes, failure_count: failures, ...only(successes === 0, { consecutive_failures: failures }) };
    const certain = leadingFailures >= autoDisableAfter || outcomes.longestRunAfterFirstSuccess >= autoDisableAfter;
    const names = [...Object.keys(set), ...Object.keys(add), 'enabled', 'consecutive_failures'];
    await db.client.send(
      new UpdateCommand({
        TableName: db.table,
        Key: { pk: partition('endpoint', account), sk: endpoint },
        UpdateExpression: [
          `SET ${Object.keys(set).map((name) => `#${name} = :${name}`)}`,
          ...(slots.length > 0 ? [`REMOVE ${slots.map(slotAttribute)}`] : []),
          `ADD ${Object.keys(add).map((name) => `#${name} :${name}`)}`,
        ].join(' '),
        // The run completes where the failures counted so far leave no room for the leading ones.
        ConditionExpression: disable
          ? '#enabled = :true AND #consecutive_failures >= :room'
          : 'attribute_exists(pk) AND (#enabled = :disabled OR #consecutive_failures < :room)',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ...Object.fromEntries(Object.entries({ ...set, ...add }).map(([name, value]) => [`:${name}`, value])),
          ':room': certain ? 0 : autoDisableAfter - leadingFailures,
          ...(disable ? { ':true': true } : { ':disabled': false }),
        },
      }),
    );
  };

  return {
    async record(account, endpoint, outcomes) {
      // Two conditions that exclude each other: one of them holds, unless another write comes between or the endpoint is gone.
      for (const disable of [false, true, false, true, false, true]) {
        try {
          await update(account, endpoint, outcomes, disable);
          return disable;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
      }
      return false;
    },
  };
};
