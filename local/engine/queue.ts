import { randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/core/clock.ts';
import type { OperatedQueue, QueueDepth } from '../../shared/providers/operated-queue.ts';
import type { QueuedMessage } from '../../shared/providers/queue.ts';
import { type State, transact } from './state.ts';

/** A message in flight, in the format of SQS. */
export interface ReceivedMessage {
  readonly id: string;
  readonly groupId: string;
  readonly body: string;
  readonly sentMs: number;
  readonly receiveCount: number;
  readonly firstReceivedMs: number;
  readonly receivedMs: number;
}

interface LocalQueueOptions {
  readonly state: State;
  readonly name: string;
  readonly clock: Clock;
  readonly visibilityTimeoutMs: number;
  readonly maxReceiveCount: number;
}

/** Maximum number of messages that one receive, and so one batch of a function, holds. */
export const batchSize = 10;

/** Returns the name of a queue's dead-letter queue. */
export const deadLettersOf = (name: string): string => `${name}-dead-letters`;

/** Returns the next messages of a group. */
const nextOfGroup = `SELECT id FROM messages WHERE queue = ?1 AND group_id = ?2 AND in_flight = 0 AND visible_ms <= ?3
  ORDER BY visible_ms, rowid LIMIT ?4`;

/**
 * The queries of a step of the poller, independent of the number of messages. Each reads a few
 * entries of one index; a plain GROUP BY or a condition on the receives would read every message.
 */
export const queueSteps = {
  groups: `WITH RECURSIVE names (group_id) AS (
      SELECT min(group_id) FROM messages WHERE queue = ?1 AND in_flight = 0
      UNION ALL
      SELECT (SELECT min(group_id) FROM messages WHERE queue = ?1 AND in_flight = 0 AND group_id > names.group_id)
      FROM names WHERE group_id IS NOT NULL),
    groups (group_id, since_ms) AS (
      SELECT group_id, (SELECT min(visible_ms) FROM messages WHERE queue = ?1 AND in_flight = 0 AND group_id = names.group_id)
      FROM names WHERE group_id IS NOT NULL)
    SELECT group_id FROM groups WHERE since_ms <= ?2 ORDER BY since_ms`,
  redrive: `UPDATE messages SET queue = ?5 WHERE id IN (${nextOfGroup}) AND receive_count >= ?6`,
  receive: `UPDATE messages
    SET in_flight = 1, receive_count = receive_count + 1, first_received_ms = coalesce(first_received_ms, ?3)
    WHERE id IN (${nextOfGroup}) RETURNING
      id, group_id AS groupId, body, sent_ms AS sentMs, receive_count AS receiveCount, first_received_ms AS firstReceivedMs, ?3 AS receivedMs`,
  next: 'SELECT min(visible_ms) AS at FROM messages WHERE queue = ?1 AND in_flight = 0 AND visible_ms > ?2',
  recover: `UPDATE messages SET in_flight = 0, visible_ms = 0, receive_count = receive_count - 1
    WHERE queue = ?1 AND in_flight = 1 RETURNING body`,
} as const;

const prepare = (state: State) => ({
  insert: state.prepare('INSERT INTO messages (id, queue, group_id, body, sent_ms, visible_ms) VALUES (?, ?, ?, ?, ?, ?)'),
  groups: state.prepare(queueSteps.groups),
  redrive: state.prepare(queueSteps.redrive),
  receive: state.prepare(queueSteps.receive),
  remove: state.prepare('DELETE FROM messages WHERE id = ?'),
  release: state.prepare('UPDATE messages SET in_flight = 0, visible_ms = ? WHERE id = ?'),
  recover: state.prepare(queueSteps.recover),
  next: state.prepare(queueSteps.next),
  depth: state.prepare(`SELECT
    count(*) FILTER (WHERE in_flight = 0 AND visible_ms <= ?2) AS waiting,
    count(*) FILTER (WHERE in_flight = 1) AS in_flight,
    count(*) FILTER (WHERE in_flight = 0 AND visible_ms > ?2) AS delayed FROM messages WHERE queue = ?1`),
});

/**
 * Opens a standard SQS queue with message groups and a dead-letter queue; delays and timeouts have
 * millisecond precision.
 */
export const openQueue = ({ state, name, clock, visibilityTimeoutMs, maxReceiveCount }: LocalQueueOptions) => {
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const sql = prepare(state);
  return {
    name,
    async send(messages: readonly QueuedMessage[]): Promise<void> {
      const now = clock.now();
      transact(state, () => {
        for (const { body, groupId, delaySeconds = 0 } of messages)
          sql.insert.run(randomUUID(), name, groupId, body, now, now + Math.round(delaySeconds * 1000));
      });
      changed();
    },
    /** Groups with receivable messages, longest waiting first. */
    waitingGroups: (): readonly string[] => sql.groups.all(name, clock.now()).map((row) => String(row['group_id'])),
    /**
     * Returns up to `max` messages of one group. Each counts as a receive. A message with too many
     * receives moves to the dead-letter queue.
     */
    receive(groupId: string, max: number = batchSize): readonly ReceivedMessage[] {
      const now = clock.now();
      return transact(state, () => {
        // Repeats until no next message exceeds the receive limit.
        while (sql.redrive.run(name, groupId, now, max, deadLettersOf(name), maxReceiveCount).changes > 0);
        return sql.receive.all(name, groupId, now, max) as unknown as ReceivedMessage[];
      });
    },
    remove(messages: readonly Pick<ReceivedMessage, 'id'>[]): void {
      transact(state, () => {
        for (const { id } of messages) sql.remove.run(id);
      });
    },
    /** Makes the messages visible again when the visibility timeout of their receive ends. */
    release(messages: readonly ReceivedMessage[]): void {
      transact(state, () => {
        for (const { id, receivedMs } of messages) sql.release.run(Math.round(receivedMs + visibilityTimeoutMs), id);
      });
      changed();
    },
    /** Makes the messages visible again immediately. */
    putBack(messages: readonly Pick<ReceivedMessage, 'id'>[]): void {
      transact(state, () => {
        for (const { id } of messages) sql.release.run(clock.now(), id);
      });
      changed();
    },
    /**
     * Makes messages in flight in a killed run visible immediately and does not count their
     * receive. Returns their bodies.
     */
    recover: (): readonly string[] => sql.recover.all(name).map((row) => String(row['body'])),
    /** Returns when the next invisible message becomes visible. */
    nextVisibleMs(): number | undefined {
      const at = sql.next.get(name, clock.now())?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    depth: (): QueueDepth => ({ ...(sql.depth.get(name, clock.now()) as unknown as QueueDepth) }),
    /** The listener is called after every change that can make a message visible. */
    onChange: (listener: () => void): void => void listeners.push(listener),
  };
};

export type LocalQueue = ReturnType<typeof openQueue>;

/** Returns an operator's operations on a local queue. */
export const operatedQueueOf = (queue: LocalQueue): OperatedQueue => ({
  send: queue.send,
  depth: async () => queue.depth(),
  async receive() {
    const [group] = queue.waitingGroups();
    return group === undefined ? [] : queue.receive(group).map((message) => ({ ...message, receipt: message.id }));
  },
  remove: async (messages) => queue.remove(messages),
  release: async (messages) => queue.putBack(messages),
});
