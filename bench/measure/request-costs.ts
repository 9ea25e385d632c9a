import { setTimeout as wait } from 'node:timers/promises';
import { type Hook, type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { freePorts, type ServiceProcess, startService } from '../../test/support/service.ts';
import { cpuMsOf, processesOf, residentBytesOf } from './processes.ts';

/** Requests of each kind in one round. */
const counts = { reads: 400, writes: 100, events: 40 };

const kinds = ['GET', 'LIST 20', 'POST expense', 'POST order', 'event to its delivery'] as const;
type Kind = (typeof kinds)[number];

/** A running service with an account, and a way to measure it. */
export interface Subject {
  readonly account: BenchAccount;
  /** Milliseconds from the start of the process to its first healthy response. */
  readonly readyMs: number;
  /** Returns the CPU milliseconds per request of the service's processes. */
  measure(kind: Kind): Promise<number>;
  /** Returns how long a GET takes at a rate of GETs per second: milliseconds, sorted. */
  latencies(perSecond: number, seconds: number): Promise<readonly number[]>;
  /** Returns GETs per second with eight callers. */
  capacity(seconds: number): Promise<number>;
  /** Returns the resident bytes of the service's processes. */
  residentBytes(): number;
  stop(): Promise<void>;
}

/** Requests per key per minute stay below the limits of reads (300) and writes (100). */
const keyCount = 90;
const expense = { amount: 12.5, date: '2026-11-01', category: 'rent', description: 'Oven hall, November' };
const order = { customer: { email: 'ada@example.com', last_name: 'Okafor' }, items: [{ name: 'Rye', quantity: 2, unit_price: 7.5 }] };

const openCaller = (service: ServiceProcess, keys: readonly string[]) => {
  let turn = 0;
  return async (path: string, body?: object): Promise<string> => {
    const response = await fetch(`${service.origin('us')}/api/v2${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${keys[turn++ % keys.length]}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== (body ? 201 : 200)) throw new Error(`${path}: ${response.status} ${text}`);
    return text;
  };
};

/** An account and its keys. Callers use the keys in turn. */
export interface BenchAccount {
  readonly id: string;
  readonly keys: readonly string[];
}

const createAccount = async (service: ServiceProcess): Promise<BenchAccount> => {
  const { id } = await service.action('us', 'account.create', { name: 'Bench', plan: 'business' });
  const account = String(id);
  const keys: string[] = [];
  while (keys.length < keyCount) {
    const { key } = await service.action('us', 'key.create', { type: 'secret', group: 'fullAccess', name: 'bench' }, account);
    keys.push(String(key));
  }
  return { id: account, keys };
};

/** Writes one expense at a time, each after the delivery of the one before. */
const deliver = async (call: (path: string, body?: object) => Promise<string>, hook: Hook, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) {
    const arrival = new Promise<void>((resolve) =>
      hook.respondWith(() => {
        resolve();
        return 200;
      }),
    );
    await call('/expenses', expense);
    await arrival;
  }
};

interface SubjectOptions {
  readonly checkout: string;
  /** Data directory of the service. Default: in memory. */
  readonly dataDir?: string;
  /** Account of an earlier run on that directory. Default: a new one. */
  readonly account?: BenchAccount;
}

/** Starts the service of a checkout with 40 expenses and 40 orders, and an endpoint in another account. */
export const startSubject = async ({ checkout, dataDir, account }: SubjectOptions): Promise<Subject> => {
  const receiver: Receiver = await startReceiver();
  const state = dataDir === undefined ? ['--ephemeral'] : ['--data', dataDir];
  const args = [...state, '--allow-loopback-webhooks', '--no-seed', '--region', 'us'];
  const startedMs = performance.now();
  const service = await startService({ port: await freePorts(), args, folder: checkout });
  const readyMs = performance.now() - startedMs;
  const pid = service.process.pid ?? 0;
  const opened = account ?? (await createAccount(service));
  const call = openCaller(service, opened.keys);
  const heard = openCaller(service, (await createAccount(service)).keys);
  const hook = receiver.hook();
  await heard('/webhooks', { url: hook.url, events: ['expense.created'] });
  for (let i = 0; i < 40; i++) await call('/orders', order);
  let id = '';
  for (let i = 0; i < 40; i++) id = (JSON.parse(await call('/expenses', expense)) as { readonly id: string }).id;
  const repeat = async (count: number, path: string, body?: object): Promise<void> => {
    for (let i = 0; i < count; i++) await call(path, body);
  };
  const { reads, writes, events } = counts;
  const run = (kind: Kind): Promise<void> => {
    if (kind === 'GET') return repeat(reads, `/expenses/${id}`);
    if (kind === 'LIST 20') return repeat(reads, '/expenses?limit=20');
    if (kind === 'POST expense') return repeat(writes, '/expenses', expense);
    if (kind === 'POST order') return repeat(writes, '/orders', order);
    return deliver(heard, hook, events);
  };
  const cpuMs = (): number => processesOf(pid).reduce((sum, one) => sum + cpuMsOf(one), 0);
  return {
    account: opened,
    readyMs,
    async measure(kind) {
      const before = cpuMs();
      await run(kind);
      const count = kind === 'event to its delivery' ? events : kind.startsWith('POST') ? writes : reads;
      return (cpuMs() - before) / count;
    },
    async capacity(seconds) {
      const endMs = performance.now() + seconds * 1000;
      let count = 0;
      const caller = async (): Promise<void> => {
        for (; performance.now() < endMs; count++) await call(`/expenses/${id}`);
      };
      await Promise.all(Array.from({ length: 8 }, caller));
      return count / seconds;
    },
    async latencies(perSecond, seconds) {
      const startMs = performance.now();
      const sent: Promise<number>[] = [];
      for (let i = 0; i < perSecond * seconds; i++) {
        const dueMs = startMs + (i * 1000) / perSecond;
        while (performance.now() < dueMs) await wait(1);
        sent.push(call(`/expenses/${id}`).then(() => performance.now() - dueMs));
      }
      return (await Promise.all(sent)).sort((a, b) => a - b);
    },
    residentBytes: () => processesOf(pid).reduce((sum, one) => sum + residentBytesOf(one), 0),
    async stop() {
      await service.kill();
      await receiver.stop();
    },
  };
};

export const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/**
 * Measures each kind of request on subjects that take turns, so that other work on the machine
 * disturbs all of them. Reports the medians of the rounds, after one that warms up.
 */
export const measureKinds = async (
  subjects: readonly Subject[],
  rounds: number,
  report: (kind: Kind, cpuMs: readonly number[]) => void,
): Promise<void> => {
  for (const kind of kinds) {
    const measured = subjects.map((): number[] => []);
    for (let round = 0; round <= rounds; round++)
      for (const [n, subject] of subjects.entries()) {
        const cpuMs = await subject.measure(kind);
        if (round > 0) measured[n]?.push(cpuMs);
      }
    report(kind, measured.map(medianOf));
  }
};
