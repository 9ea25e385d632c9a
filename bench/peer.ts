import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { closeLoad, operations, repeat, type Target, writeExpense } from './peer/load.ts';
import { startPostgres } from './peer/postgres.ts';
import { cpuOf } from './peer/processes.ts';

/**
 * Compares CPU per request with Fastify and PostgreSQL under the same duties and load, over kept
 * connections. Compares `npm start` with the SDK and with the local client. Linux only. Run `npm ci
 * --prefix bench/peer` once, then node bench/peer.ts [requests]. Times depend on the machine;
 * ratios carry over.
 */
const requests = Number(process.argv[2] ?? 300);
const atOnce = 8;
const rounds = 3;
const warmUps = 150;
const operationNames = Object.keys(operations);
/**
 * A key may write 100 times a minute. All requests of the run may be writes in one minute, so keys
 * take turns and never reach the limit.
 */
const writesPerKey = 100;
const keysWanted = Math.ceil((warmUps + (rounds + 1) * (1 + operationNames.length * requests)) / writesPerKey);

interface Subject {
  readonly name: string;
  readonly target: Target;
  readonly pid: number;
  /** Programs of the database. All others belong to the application. */
  readonly database: ReadonlySet<string>;
  /** A process that the application did not start. */
  readonly databasePid?: number;
}

/** CPU milliseconds per request, of the application and the database. */
interface Cpu {
  readonly app: number;
  readonly database: number;
}

const peerFolder = fileURLToPath(new URL('peer/', import.meta.url));
const root = fileURLToPath(new URL('..', import.meta.url));

const cpuNow = ({ pid, database, databasePid }: Subject): Cpu => {
  const own = [...cpuOf(pid), ...(databasePid === undefined ? [] : cpuOf(databasePid))];
  const sum = (isDatabase: boolean): number =>
    own.filter(([name]) => database.has(name) === isDatabase).reduce((total, [, seconds]) => total + seconds * 1_000, 0);
  return { app: sum(false), database: sum(true) };
};

const measure = async (subject: Subject, run: (typeof operations)[string], id: string): Promise<Cpu> => {
  const before = cpuNow(subject);
  await repeat(requests, atOnce, () => run(subject.target, id));
  // The work that follows a write belongs to it.
  await pause(300);
  const after = cpuNow(subject);
  return { app: (after.app - before.app) / requests, database: (after.database - before.database) / requests };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
};

const firstLine = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('Nothing to read from.');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('It ended without a word.');
};

const stopChild = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
};

type Started = { readonly subject: Subject; readonly stop: () => Promise<void> };

const startPeer = async (): Promise<Started | string> => {
  if (!existsSync(`${peerFolder}node_modules`)) return 'Its packages are missing: npm ci --prefix bench/peer';
  const postgres = await startPostgres();
  if (!postgres) return 'PostgreSQL is not installed (initdb, postgres and pg_isready on the PATH).';
  const child = spawn(process.execPath, [`${peerFolder}server.mjs`, postgres.socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { port, key } = JSON.parse(await firstLine(child)) as { port: number; key: string };
  const subject = {
    name: 'Fastify + PostgreSQL',
    target: { port, prefix: '', keys: [key] },
    pid: child.pid ?? 0,
    databasePid: postgres.pid,
    database: new Set(['postgres']),
  };
  return {
    subject,
    async stop() {
      await stopChild(child);
      await postgres.stop();
    },
  };
};

const startOurs = async (awsClient: 'sdk' | 'local'): Promise<Started> => {
  const port = await freePort();
  const child = spawn(process.execPath, ['bin/start.mjs', '--port', String(port), '--ephemeral', '--region', 'us', '--no-seed'], {
    cwd: root,
    env: { ...process.env, AWS_CLIENT: awsClient },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  const isHealthy = (): Promise<boolean> =>
    fetch(`${origin}/_local/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) await pause(50);
  const act = async (action: string, input: object, account?: string): Promise<Record<string, string>> => {
    const response = await fetch(`${origin}/_local/actions`, {
      method: 'POST',
      body: JSON.stringify({ region: 'us', action, account, input }),
    });
    return ((await response.json()) as { result: Record<string, string> }).result;
  };
  const { id = '' } = await act('account.create', { name: 'Peer', plan: 'business' });
  const keys: string[] = [];
  for (let i = 0; i < keysWanted; i++)
    keys.push((await act('key.create', { type: 'secret', group: 'fullAccess', name: `${i}` }, id))['key'] ?? '');
  const subject = {
    name: `this service, ${awsClient}`,
    // The region's own port.
    target: { port: port + 1, prefix: '/api/v2', keys },
    pid: child.pid ?? 0,
    database: new Set(['dynoxide', 'java']),
  };
  return { subject, stop: () => stopChild(child) };
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const peer = await startPeer();
if (typeof peer === 'string') console.log(`Fastify + PostgreSQL is left out. ${peer}`);
const started = [...(typeof peer === 'string' ? [] : [peer]), await startOurs('sdk'), await startOurs('local')];
try {
  const samples = new Map<string, Cpu[]>();
  for (const { subject } of started) await repeat(warmUps, atOnce, () => writeExpense(subject.target));
  // Alternate rounds, so that a busy moment of the machine affects all services.
  for (let round = 0; round <= rounds; round++)
    for (const { subject } of started) {
      const { id = '' } = await writeExpense(subject.target);
      for (const [name, run] of Object.entries(operations)) {
        const taken = await measure(subject, run, id);
        // The first round warms up.
        const place = `${subject.name} ${name}`;
        if (round > 0) samples.set(place, [...(samples.get(place) ?? []), taken]);
      }
    }
  const cpuOfSubject = ({ name }: Subject, operation: string): Cpu => {
    const taken = samples.get(`${name} ${operation}`) ?? [];
    return { app: median(taken.map(({ app }) => app)), database: median(taken.map(({ database }) => database)) };
  };
  const [reference] = started.map(({ subject }) => subject);
  if (!reference) throw new Error('Nothing was measured.');
  const ratio = (value: number, of: number): string => `${(value / of).toFixed(1)}×`;
  console.log(`CPU a request of each, median of ${rounds} rounds of ${requests}, ${atOnce} at once; ratios to ${reference.name}`);
  console.table(
    operationNames.flatMap((operation) =>
      started.map(({ subject }) => {
        const [own, other] = [cpuOfSubject(subject, operation), cpuOfSubject(reference, operation)];
        return {
          operation,
          subject: subject.name,
          'app ms': Number(own.app.toFixed(2)),
          'database ms': Number(own.database.toFixed(2)),
          app: ratio(own.app, other.app),
          database: ratio(own.database, other.database),
          'whole to whole': ratio(own.app + own.database, other.app + other.database),
          'app to whole': ratio(own.app, other.app + other.database),
        };
      }),
    ),
  );
} finally {
  closeLoad();
  for (const { stop } of started) await stop();
}
