import { parseArgs } from 'node:util';
import { freePorts, root, startService } from '../test/support/service.ts';
import { cpuMsOf, processesOf } from './measure/processes.ts';
import { measureKinds, medianOf, type Subject, startSubject } from './measure/request-costs.ts';

/**
 * Measures the local service, and beside it that of other checkouts: CPU of the whole process tree
 * per request, `npm start` to ready, memory, and the 99th percentile of a GET at half of the
 * capacity. The services take turns, so that other work on the machine disturbs all of them. Linux
 * only.
 *
 *   node bench/local-latency.ts [--beside CHECKOUT]… [--rounds 5] [--starts 3] [--seconds 5]
 */
const { values: options } = parseArgs({
  options: {
    beside: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '5' },
    starts: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
  },
});
const [rounds, starts, seconds] = [options.rounds, options.starts, options.seconds].map(Number) as [number, number, number];
const checkouts = [...options.beside, root];

const rows: Record<string, string>[] = [];
/** Adds a row: a value of each checkout, and the last one's share of the first. */
const report = (what: string, unit: string, values: readonly number[]): void => {
  const shown = values.map((value, i) => [checkouts[i] as string, `${value.toFixed(2)} ${unit}`]);
  rows.push({ what, ...Object.fromEntries(shown), ratio: ((values.at(-1) as number) / (values[0] as number)).toFixed(2) });
};

/** Returns wall and CPU milliseconds from `npm start` to ready, with seed. */
const start = async (checkout: string): Promise<{ readonly wallMs: number; readonly cpuMs: number }> => {
  const port = await freePorts();
  const startedMs = performance.now();
  const service = await startService({ port, args: ['--ephemeral'], through: 'npm', folder: checkout });
  const wallMs = performance.now() - startedMs;
  const cpuMs = processesOf(service.process.pid ?? 0).reduce((sum, one) => sum + cpuMsOf(one), 0);
  await service.stop();
  return { wallMs, cpuMs };
};

const startsOf = checkouts.map((): { wallMs: number; cpuMs: number }[] => []);
for (let i = 0; i < starts; i++) for (const [n, checkout] of checkouts.entries()) startsOf[n]?.push(await start(checkout));
report(
  'npm start to ready, wall',
  'ms',
  startsOf.map((all) => medianOf(all.map(({ wallMs }) => wallMs))),
);
report(
  'npm start to ready, CPU',
  'ms',
  startsOf.map((all) => medianOf(all.map(({ cpuMs }) => cpuMs))),
);

const subjects: Subject[] = [];
try {
  for (const checkout of checkouts) subjects.push(await startSubject({ checkout }));
  await measureKinds(subjects, rounds, (kind, cpuMs) => report(`${kind}, CPU`, 'ms', cpuMs));
  const latencies: number[] = [];
  const capacities: number[] = [];
  for (const subject of subjects) {
    const capacity = await subject.capacity(seconds);
    capacities.push(capacity);
    const sorted = await subject.latencies(capacity / 2, seconds);
    latencies.push(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
  }
  report('GETs with eight callers', '/s', capacities);
  report('GET at half of that rate, 99th percentile', 'ms', latencies);
  report(
    'memory, processes in sum',
    'MB',
    subjects.map((subject) => subject.residentBytes() / 1e6),
  );
} finally {
  for (const subject of subjects) await subject.stop();
}
console.table(rows);
