import { type Clock, systemClock } from '../../shared/core/clock.ts';
import type { ScheduledMessage } from '../../shared/providers/scheduler.ts';
import type { LocalQueue } from './queue.ts';
import type { State } from './state.ts';

const retryMs = 1000;

/** One-time schedules. Each puts a message on the queue and then deletes itself. */
export const startScheduler = ({ state, queue, clock }: { readonly state: State; readonly queue: LocalQueue; readonly clock: Clock }) => {
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
  const alarm = alarmClock(clock, () => void fire().catch(() => alarm.set(clock.now() + retryMs)));
  const arm = () => {
    const at = sql.next.get(queue.name)?.['at'];
    if (typeof at === 'number') alarm.set(at);
  };
  arm();
  return {
    async schedule({ name, atMs, groupId, body }: ScheduledMessage): Promise<void> {
      sql.insert.run(queue.name, name, Math.ceil(atMs), groupId, body);
      arm();
    },
    stop: () => alarm.clear(),
  };
};

export type LocalScheduler = ReturnType<typeof startScheduler>;

const longestTimerMs = 60_000;
/** Maximum delay until a jump of a test's clock is noticed. */
const jumpingClockMs = 20;

/** Calls back at a set time of the given clock. Setting another time replaces the first. */
export const alarmClock = (clock: Clock, ring: () => void) => {
  const longestMs = clock === systemClock ? longestTimerMs : jumpingClockMs;
  let timer: NodeJS.Timeout | undefined;
  const set = (atMs: number): void => {
    clearTimeout(timer);
    const restMs = Math.max(atMs - clock.now(), 0);
    timer = setTimeout(() => (clock.now() >= atMs ? ring() : set(atMs)), Math.min(restMs, longestMs));
  };
  return { set, clear: () => clearTimeout(timer) };
};
