import { type Hook, startReceiver } from '../test/support/receiver.ts';
import { freePorts, startService } from '../test/support/service.ts';

/**
 * Measures the local service: from `npm start` to ready, from an acknowledged write to its
 * delivery, and how 200 hanging deliveries of one account delay another account's. node
 * bench/local-latency.ts [writes]
 */
const writes = Number(process.argv[2] ?? 80);

const percentile = (values: readonly number[], share: number): string =>
  ([...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN).toFixed(1);
const print = (what: string, values: readonly number[]) =>
  console.log(`${what.padEnd(58)} p50 ${percentile(values, 0.5).padStart(7)} ms   p95 ${percentile(values, 0.95).padStart(7)} ms`);

const readyMs: number[] = [];
for (let i = 0; i < 5; i++) {
  const port = await freePorts();
  const startedMs = performance.now();
  const service = await startService({ port, args: ['--ephemeral'], through: 'npm' });
  readyMs.push(performance.now() - startedMs);
  await service.stop();
}
print('npm start to ready, three regions, seed included', readyMs);

const receiver = await startReceiver();
const args = ['--ephemeral', '--allow-loopback-webhooks', '--no-seed', '--region', 'us'];
const service = await startService({ port: await freePorts(), args });

const open = async (hook: Hook) => {
  const { id } = await service.action('us', 'account.create', { name: 'Bench', plan: 'business' });
  const account = String(id);
  const { key } = await service.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'bench' }, account);
  const post = async (path: string, body: unknown): Promise<void> => {
    const response = await fetch(`${service.origin('us')}/api/v2${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await post('/webhooks', { url: hook.url, events: ['expense.created'] });
  const expense = { amount: 12.5, date: '2026-11-01', category: 'rent' };
  return {
    write: () => post('/expenses', expense),
    /** Without the rate limit of the API. */
    act: () => service.action('us', 'expense.create', { ...expense, status: 'recorded' }, account),
  };
};

const quick = receiver.hook();
let arrived = (_atMs: number) => {};
quick.respondWith(() => {
  arrived(performance.now());
  return 200;
});
const account = await open(quick);

/** Writes one record at a time, each after the delivery of the one before. */
const measure = async (count: number, write: () => Promise<unknown>) => {
  const writeMs: number[] = [];
  const deliveryMs: number[] = [];
  for (let i = 0; i < count; i++) {
    const arrival = new Promise<number>((resolve) => {
      arrived = resolve;
    });
    const sentMs = performance.now();
    await write();
    const acknowledgedMs = performance.now();
    writeMs.push(acknowledgedMs - sentMs);
    deliveryMs.push((await arrival) - acknowledgedMs);
  }
  return { writeMs, deliveryMs };
};

const api = await measure(writes, account.write);
print('POST /expenses', api.writeMs);
print('acknowledged to delivered', api.deliveryMs);

const alone = await measure(50, account.act);
print('50 deliveries of one account alone', alone.deliveryMs);
const hanging = receiver.hook('hang');
const other = await open(hanging);
for (let i = 0; i < 200; i++) await other.act();
while (hanging.inFlight() === 0) await new Promise((resolve) => setTimeout(resolve, 10));
const beside = await measure(50, account.act);
print(`50 beside 200 of another account, ${hanging.inFlight()} of them hanging`, beside.deliveryMs);

await service.kill();
await receiver.stop();
