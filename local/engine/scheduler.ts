import type { Clock } from '../../shared/core/clock.ts';
import type { ScheduledMessage, Scheduler } from '../../shared/providers/scheduler.ts';
import type { LocalQueue } from './queue.ts';
import type { State } from './state.ts';

/** One-time schedules. Each puts a message on the queue and then deletes itself. */
export interface LocalScheduler extends Scheduler {
  stop(): void;
}

interface LocalSchedulerOptions {
  readonly state: State;
  readonly queue: LocalQueue;
  readonly clock: Clock;
  readonly recheckMs?: number;
}

const retryMs = 1000;

export const startScheduler = ({ state, queue, clock, recheckMs }: LocalSchedulerOptions): LocalScheduler => {
  const sql = {
    insert: state.prepare('INSERT OR IGNORE INTO schedules (queue, name, at_ms, group_id, body) VALUES (?, ?, ?, ?, ?)'),
    due: state.prepare('SELECT name, group_id, body FROM schedules WHERE queue = ? AND at_ms <= ? ORDER BY at_ms'),
    remove: state.prepare('DELETE FROM schedules WHERE queue = ? AND name = ?'),
    next: state.prepare('SELECT min(at_ms) AS at FROM schedules WHERE queue = ?'),
  };
  const fire = async () => {
    const due = sql.due.all(queue.name, clock.now()).map((row) => ({
      name: String(row['name']),
      message: { groupId: String(row['group_id']), body: String(row['body']) },
    }));
    for (const { name, message } of due) {
      // Sends before deleting. A crash in between sends a duplicate, which the attempt's number
      // makes harmless. The reverse order would lose the message.
      await queue.send([message]);
      sql.remove.run(queue.name, name);
    }
    arm();
  };
  const alarm = alarmClock(clock, () => void fire().catch(() => alarm.set(clock.now() + retryMs)), recheckMs);
  const arm = () => {
    const at = sql.next.get(queue.name)?.['at'];
    if (typeof at === 'number') alarm.set(at);
  };
  arm();
  return {
    async schedule({ name, atMs, groupId, body }: ScheduledMessage) {
      sql.insert.run(queue.name, name, Math.ceil(atMs), groupId, body);
      arm();
    },
    stop: () => alarm.clear(),
  };
};

/** Calls back at a set time of the given clock. Setting another time replaces the first. */
interface AlarmClock {
  set(atMs: number): void;
  clear(): void;
}

const longestTimerMs = 60_000;

/** `recheckMs` bounds the delay until a jump of a test's clock is noticed. */
export const alarmClock = (clock: Clock, ring: () => void, recheckMs = longestTimerMs): AlarmClock => {
  let timer: NodeJS.Timeout | undefined;
  const arm = (atMs: number) => {
    clearTimeout(timer);
    const restMs = atMs - clock.now();
    timer = setTimeout(() => (clock.now() >= atMs ? ring() : arm(atMs)), Math.min(Math.max(restMs, 0), recheckMs));
  };
  return { set: arm, clear: () => clearTimeout(timer) };
};
