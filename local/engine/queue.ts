import { randomUUID } from 'node:crypto';
import type { Clock } from '../../shared/core/clock.ts';
import type { HeldMessage, OperatedQueue } from '../../shared/providers/operated-queue.ts';
import type { Queue, QueuedMessage } from '../../shared/providers/queue.ts';
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

interface QueueCounts {
  readonly visible: number;
  readonly delayed: number;
  readonly inFlight: number;
  readonly dead: number;
}

/**
 * A standard SQS queue with message groups and a dead-letter queue; delays and timeouts have
 * millisecond precision.
 */
export interface LocalQueue extends Queue {
  readonly name: string;
  /** Groups with receivable messages, longest waiting first. */
  waitingGroups(): readonly string[];
  /**
   * Returns up to 10 messages of one group. Each counts as a receive. A message with too many
   * receives moves to the dead-letter queue.
   */
  receive(groupId: string): readonly ReceivedMessage[];
  remove(messages: readonly ReceivedMessage[]): void;
  /** Makes the messages visible again when the visibility timeout of their receive ends. */
  release(messages: readonly ReceivedMessage[]): void;
  /** Makes the messages visible again immediately. */
  putBack(messages: readonly ReceivedMessage[]): void;
  /** Returns when the next invisible message becomes visible. */
  nextVisibleMs(): number | undefined;
  /**
   * Makes messages in flight in a killed run visible immediately and does not count their receive.
   * Returns their bodies.
   */
  recover(): readonly string[];
  counts(): QueueCounts;
  deadLetters(): readonly string[];
  /** Called after every change that can make a message visible. */
  onChange(listener: () => void): void;
}

interface LocalQueueOptions {
  readonly state: State;
  readonly name: string;
  readonly clock: Clock;
  readonly visibilityTimeoutMs: number;
  readonly maxReceiveCount: number;
}

const batchSize = 10;

/** Returns the name of a queue's dead-letter queue. */
export const deadLettersOf = (name: string): string => `${name}-dead-letters`;

/** Returns the next messages of a group. */
const nextOfGroup = `SELECT id FROM messages WHERE queue = ?1 AND group_id = ?2 AND in_flight = 0 AND visible_ms <= ?3
  ORDER BY visible_ms, rowid LIMIT ${batchSize}`;

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
  redrive: `UPDATE messages SET queue = ?4 WHERE id IN (${nextOfGroup}) AND receive_count >= ?5`,
  receive: `UPDATE messages
    SET in_flight = 1, receive_count = receive_count + 1, first_received_ms = coalesce(first_received_ms, ?3)
    WHERE id IN (${nextOfGroup}) RETURNING id, group_id, body, sent_ms, receive_count, first_received_ms`,
  next: 'SELECT min(visible_ms) AS at FROM messages WHERE queue = ?1 AND in_flight = 0 AND visible_ms > ?2',
  recover: `UPDATE messages SET in_flight = 0, visible_ms = 0, receive_count = receive_count - 1
    WHERE queue = ?1 AND in_flight = 1 RETURNING body`,
} as const;

interface Row {
  readonly id: string;
  readonly group_id: string;
  readonly body: string;
  readonly sent_ms: number;
  readonly receive_count: number;
  readonly first_received_ms: number;
}

const prepare = (state: State) => ({
  insert: state.prepare('INSERT INTO messages (id, queue, group_id, body, sent_ms, visible_ms) VALUES (?, ?, ?, ?, ?, ?)'),
  groups: state.prepare(queueSteps.groups),
  redrive: state.prepare(queueSteps.redrive),
  receive: state.prepare(queueSteps.receive),
  remove: state.prepare('DELETE FROM messages WHERE id = ?'),
  release: state.prepare('UPDATE messages SET in_flight = 0, visible_ms = ? WHERE id = ?'),
  recover: state.prepare(queueSteps.recover),
  next: state.prepare(queueSteps.next),
  counts: state.prepare(`SELECT
    count(*) FILTER (WHERE queue = ?1 AND in_flight = 0 AND visible_ms <= ?3) AS visible,
    count(*) FILTER (WHERE queue = ?1 AND in_flight = 0 AND visible_ms > ?3) AS delayed,
    count(*) FILTER (WHERE queue = ?1 AND in_flight = 1) AS inFlight,
    count(*) FILTER (WHERE queue = ?2) AS dead FROM messages`),
  dead: state.prepare('SELECT body FROM messages WHERE queue = ? ORDER BY rowid'),
});

export const openQueue = ({ state, name, clock, visibilityTimeoutMs, maxReceiveCount }: LocalQueueOptions): LocalQueue => {
  const deadLetterQueue = deadLettersOf(name);
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const sql = prepare(state);
  return {
    name,
    async send(messages: readonly QueuedMessage[]) {
      const now = clock.now();
      transact(state, () => {
        for (const { body, groupId, delaySeconds = 0 } of messages)
          sql.insert.run(randomUUID(), name, groupId, body, now, now + Math.round(delaySeconds * 1000));
      });
      changed();
    },
    waitingGroups: () => sql.groups.all(name, clock.now()).map((row) => String(row['group_id'])),
    receive(groupId) {
      const now = clock.now();
      const rows = transact(state, () => {
        // Repeats until no next message exceeds the receive limit.
        while (sql.redrive.run(name, groupId, now, deadLetterQueue, maxReceiveCount).changes > 0);
        return sql.receive.all(name, groupId, now) as unknown as Row[];
      });
      return rows.map((row) => ({
        id: row.id,
        groupId: row.group_id,
        body: row.body,
        sentMs: row.sent_ms,
        receiveCount: row.receive_count,
        firstReceivedMs: row.first_received_ms,
        receivedMs: now,
      }));
    },
    remove(messages) {
      transact(state, () => {
        for (const { id } of messages) sql.remove.run(id);
      });
    },
    release(messages) {
      transact(state, () => {
        for (const { id, receivedMs } of messages) sql.release.run(receivedMs + visibilityTimeoutMs, id);
      });
      changed();
    },
    putBack(messages) {
      transact(state, () => {
        for (const { id } of messages) sql.release.run(clock.now(), id);
      });
      changed();
    },
    recover: () => sql.recover.all(name).map((row) => String(row['body'])),
    nextVisibleMs() {
      const at = sql.next.get(name, clock.now())?.['at'];
      return typeof at === 'number' ? at : undefined;
    },
    counts: () => ({ ...(sql.counts.get(name, deadLetterQueue, clock.now()) as unknown as QueueCounts) }),
    deadLetters: () => sql.dead.all(deadLetterQueue).map((row) => String(row['body'])),
    onChange: (listener) => void listeners.push(listener),
  };
};

/**
 * Returns an operator's operations on a local queue. Messages that the operator holds return after
 * the visibility timeout, like all others.
 */
export const operate = (queue: LocalQueue): OperatedQueue => {
  const inHand = new Map<string, ReceivedMessage>();
  const taken = (held: readonly HeldMessage[]) =>
    held.flatMap(({ receipt }) => {
      const message = inHand.get(receipt);
      inHand.delete(receipt);
      return message ? [message] : [];
    });
  return {
    send: queue.send,
    async depth() {
      const { visible, inFlight, delayed } = queue.counts();
      return { waiting: visible, in_flight: inFlight, delayed };
    },
    async receive() {
      const [group] = queue.waitingGroups();
      if (group === undefined) return [];
      return queue.receive(group).map((message) => {
        inHand.set(message.id, message);
        const { id, body, groupId, sentMs, receiveCount } = message;
        return { id, receipt: id, body, groupId, sentMs, receiveCount };
      });
    },
    async remove(messages) {
      queue.remove(taken(messages));
    },
    async release(messages) {
      queue.putBack(taken(messages));
    },
  };
};
