import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startReceiver } from '../test/support/receiver.ts';
import { freePorts, type ServiceProcess, startService } from '../test/support/service.ts';
import { cpuMsOf, processesOf } from './measure/processes.ts';

/**
 * Measures the way from POST /expenses to the delivery at a receiver that responds at once, through
 * the local service: a flood, then a steady rate. CPU is that of the service and its engine, read
 * from Linux; other systems show none.
 *
 *   npx node bench/pipeline.ts [--events 1000] [--accounts 10] [--rate 25] [--seconds 10] [--core
 *   N] [--json]
 *
 * With --core the service and its engine run on that core alone, so that writers and receiver do
 * not take its time.
 */
const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    accounts: { type: 'string', default: '10' },
    rate: { type: 'string', default: '25' },
    seconds: { type: 'string', default: '10' },
    core: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const [events, accounts, rate, seconds] = [options.events, options.accounts, options.rate, options.seconds].map(Number) as [
  number,
  number,
  number,
  number,
];
/** Concurrent writes in a flood. */
const floodWidth = 16;
/** Within the rate limit of a key per minute. */
const writesPerKey = 100;
const giveUpMs = 300_000;
const cpuMs = ({ process: { pid = 0 } }: ServiceProcess): { readonly node: number; readonly engine: number } | undefined => {
  if (process.platform !== 'linux') return undefined;
  const [node = 0, ...others] = processesOf(pid).map(cpuMsOf);
  return { node, engine: others.reduce((sum, other) => sum + other, 0) };
};

const pin = ({ process: { pid = 0 } }: ServiceProcess, core: string): void => {
  for (const one of processesOf(pid))
    for (const thread of readdirSync(`/proc/${one}/task`)) execFileSync('taskset', ['-cp', core, thread], { stdio: 'ignore' });
};

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

const receiver = await startReceiver();
const hook = receiver.hook();
const arrivals = new Map<string, number>();
const requests = { seen: 0 };
hook.respondWith(() => {
  const now = performance.now();
  for (; requests.seen < hook.requests.length; requests.seen++) {
    const { data } = JSON.parse(hook.requests[requests.seen]?.body.toString() ?? '');
    if (!arrivals.has(data.object.id)) arrivals.set(data.object.id, now);
  }
  return 200;
});
const service = await startService({
  port: await freePorts(),
  args: ['--ephemeral', '--allow-loopback-webhooks', '--no-seed', '--region', 'us'],
});
if (options.core !== undefined) pin(service, options.core);

type Write = () => Promise<string>;

/** Writers of one account. They take turns over enough keys to stay below every rate limit. */
const openAccount = async (writes: number, hasEndpoint: boolean): Promise<Write> => {
  const { id } = await service.action('us', 'account.create', { name: 'Bench', plan: 'business' });
  const keys: string[] = [];
  while (keys.length * writesPerKey < writes) {
    const { key } = await service.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'bench' }, String(id));
    keys.push(String(key));
  }
  const post = async (key: string | undefined, path: string, body: unknown): Promise<{ id: string }> => {
    const response = await fetch(`${service.origin('us')}/api/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  if (hasEndpoint) await post(keys[0], '/webhooks', { url: hook.url, events: ['expense.created'] });
  let turn = 0;
  return async () => (await post(keys[turn++ % keys.length], '/expenses', { amount: 12.5, date: '2026-11-01', category: 'rent' })).id;
};

const openAccounts = (writes: number, haveEndpoint = true) =>
  Promise.all(Array.from({ length: accounts }, () => openAccount(Math.ceil(writes / accounts) + 20, haveEndpoint)));

/** Runs writes one after another on each lane. */
const flood = async (writers: readonly Write[], count: number): Promise<{ id: string; atMs: number }[]> => {
  const written: { id: string; atMs: number }[] = [];
  let begun = 0;
  const lane = async () => {
    while (begun < count) {
      const write = writers[begun++ % writers.length] as Write;
      const atMs = performance.now();
      written.push({ id: await write(), atMs });
    }
  };
  await Promise.all(Array.from({ length: floodWidth }, lane));
  return written;
};

const arrived = async (written: readonly { id: string }[]): Promise<void> => {
  const giveUp = performance.now() + giveUpMs;
  while (!written.every(({ id }) => arrivals.has(id))) {
    if (performance.now() > giveUp) throw new Error('Not everything was delivered.');
    await pause(5);
  }
};

interface Phase {
  readonly events: number;
  /** From the first write to the last arrival. */
  readonly seconds: number;
  readonly cpuPerEvent: { readonly node: number; readonly engine: number } | undefined;
  readonly p50: number;
  readonly p99: number;
}

const measure = async (work: () => Promise<{ id: string; atMs: number }[]>, isDelivered = true): Promise<Phase> => {
  const before = cpuMs(service);
  const startMs = performance.now();
  const written = await work();
  if (isDelivered) await arrived(written);
  const wallMs = performance.now() - startMs;
  await pause(300); // the work after the last response belongs to its event
  const after = cpuMs(service);
  const waits = written.map(({ id, atMs }) => (arrivals.get(id) ?? Number.NaN) - atMs);
  const per = (name: 'node' | 'engine') => ((after?.[name] ?? 0) - (before?.[name] ?? 0)) / written.length;
  return {
    events: written.length,
    seconds: wallMs / 1000,
    cpuPerEvent: after && { node: per('node'), engine: per('engine') },
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
  };
};

await flood(await openAccounts(200), 200).then(arrived); // warm up code and connections
const writersWithoutEndpoint = await openAccounts(events, false);
const unheard = await measure(() => flood(writersWithoutEndpoint, events), false);
const flooding = await openAccounts(events);
const flooded = await measure(() => flood(flooding, events));
const steadying = await openAccounts(rate * seconds);
const steady = await measure(async () => {
  const startMs = performance.now();
  return await Promise.all(
    Array.from({ length: rate * seconds }, async (_, i) => {
      await pause(startMs + (i * 1000) / rate - performance.now());
      const atMs = performance.now();
      return { id: await (steadying[i % steadying.length] as Write)(), atMs };
    }),
  );
});
await service.kill();
await receiver.stop();

if (options.json) console.log(JSON.stringify({ accounts, unheard, flooded, steady }));
else {
  const cell = (text: string) => text.padStart(12);
  const ms = (value: number | undefined) => cell(value === undefined || Number.isNaN(value) ? '-' : `${value.toFixed(1)} ms`);
  console.log(`${accounts} accounts`.padEnd(34) + ['a second', 'CPU/event', 'of it Node', 'p50', 'p99'].map(cell).join(''));
  const row = (title: string, { events: count, seconds: took, cpuPerEvent: cpu, p50, p99 }: Phase) =>
    console.log(title.padEnd(34) + cell((count / took).toFixed(1)) + [cpu && cpu.node + cpu.engine, cpu?.node, p50, p99].map(ms).join(''));
  row(`${unheard.events} writes that nobody hears`, unheard);
  row(`${flooded.events} in a flood, delivered`, flooded);
  row(`${rate} a second for ${seconds} s, delivered`, steady);
}
