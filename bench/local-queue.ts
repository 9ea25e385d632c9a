import { openQueue } from '../local/engine/queue.ts';
import { openState } from '../local/engine/state.ts';
import { systemClock } from '../shared/core/clock.ts';

/** Measures the CPU of one poller step of the local queue for growing backlogs in ten groups. */

const groups = 10;
const steps = 50;
const sizes = [100, 1_000, 10_000, 100_000];

const measure = async (waiting: number): Promise<number> => {
  const state = await openState(undefined);
  const queue = openQueue({ state, name: 'deliveries', clock: systemClock, visibilityTimeoutMs: 6_000, maxReceiveCount: 5 });
  const messageOf = (_: unknown, i: number) => ({ body: 'x'.repeat(200), groupId: `acct_${i % groups}` });
  await queue.send(Array.from({ length: waiting }, messageOf));
  const before = process.cpuUsage();
  for (let step = 0; step < steps; step++) {
    const [first = ''] = queue.waitingGroups();
    const batch = queue.receive(first);
    queue.nextVisibleMs();
    queue.remove(batch);
    await queue.send(batch);
  }
  const { user, system } = process.cpuUsage(before);
  state.close();
  return (user + system) / 1_000 / steps;
};

const rows = [];
for (const waiting of sizes) rows.push([`${waiting} waiting`, { 'CPU ms': Number((await measure(waiting)).toFixed(3)) }] as const);
console.table(Object.fromEntries(rows));
