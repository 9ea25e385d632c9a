import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBClient } from '../client/dynamodb.ts';
import { UsageError } from '../options.ts';
import { processOf } from '../stop-signals.ts';
import { startTied, type TiedChild } from './child.ts';
import { type EngineSource, locateEngine, noEngine } from './locate.ts';
import { openStreamRecords, type StreamRecords } from './stream-records.ts';

/** Configuration of an SDK client of the engine. */
type EngineConfig = Required<Pick<DynamoDBClientConfig, 'region' | 'credentials' | 'requestHandler' | 'signer'>> & {
  readonly endpoint: string;
};

/** A running DynamoDB-compatible engine that serves every region. */
export interface Engine {
  readonly kind: EngineSource['kind'];
  readonly client: EngineConfig;
  /** Resolves with the engine's last output if it ends before `stop`. */
  readonly died: Promise<string>;
  readonly trim: StreamRecords['trim'];
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Directory of the data. If absent, data is kept in memory only. */
  readonly dataDir?: string | undefined;
  /** Finds the engine; by default the best of this machine. */
  readonly locate?: (() => EngineSource | undefined) | undefined;
}

const attempts = 5;
const javaStartMs = 120_000; // a loaded machine starts Java slowly
const sharedMemory = '/dev/shm';
const engineNames = new Set(['dynoxide', 'java']);

/**
 * This process does the work of many functions. In a burst, calls wait for a free connection, and
 * the client counts that as connecting. They may wait as long as a function may run.
 */
export const patienceMs = 29_000;

/** An engine wants a signature and checks none. To sign each call costs a third of a client's work. */
const signature = {
  authorization: 'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

const clientOf = (endpoint: string): EngineConfig => ({
  endpoint,
  signer: { sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...signature } }) },
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  requestHandler: { connectionTimeout: patienceMs, requestTimeout: patienceMs },
});

/** Whether the process is an engine. Its number may belong to another process now. */
const isEngine = (pid: number): boolean => {
  const { name = '', state } = processOf(pid) ?? {};
  return engineNames.has(name) && state !== 'Z';
};

/** Kills the engine that a killed run left behind, so that no process holds the database file. */
const endLeftover = async (pidFile: string) => {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : Number.NaN;
  for (let tries = 0; tries < 200 && pid > 1 && isEngine(pid); tries++) {
    process.kill(pid, 'SIGKILL');
    await wait(10);
  }
};

/** The engine cannot choose its address: it listens on all addresses. */
const startDynamoDbLocal = async (java: string, folder: string, { host, port }: Address, dataDir: string | undefined) => {
  const place = dataDir ? ['-dbPath', dataDir] : ['-inMemory'];
  const child = await startTied(
    [java, '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-port', String(port), '-sharedDb', ...place],
    { cwd: folder },
  );
  const deadline = Date.now() + javaStartMs;
  while (!(await fetch(`http://${host}:${port}`).catch(() => undefined))) {
    const gone = await Promise.race([child.exited, wait(50)]);
    if (gone !== undefined) throw new Error(`${gone.trim() || 'it exited without an error message'} (${java} must be Java 17 or later)`);
    if (Date.now() > deadline) throw new Error(`it did not answer within ${javaStartMs / 1000} s`);
  }
  return child;
};

type Started = Address & { readonly child: TiedChild };

/**
 * Starts the engine at a free address. Retries with another one, because a port can be taken
 * between choosing and binding it.
 */
const retrying = async (choose: () => Promise<Address>, start: (address: Address) => Promise<TiedChild>): Promise<Started> => {
  for (let attempt = 1; ; attempt++) {
    const address = await choose();
    try {
      return { child: await start(address), ...address };
    } catch (error) {
      if (attempt === attempts) throw new UsageError(`The embedded database did not start: ${(error as Error).message}`);
    }
  }
};

/** Starts the only engine on the folder's data. Ends the one that a killed run left behind. */
const startAlone = async (folder: string, start: () => Promise<Started>): Promise<Started> => {
  const pidFile = join(folder, 'engine.pid');
  await endLeftover(pidFile);
  mkdirSync(folder, { recursive: true });
  const started = await start();
  writeFileSync(pidFile, String(started.child.pid));
  return started;
};

const engineOf = (kind: EngineSource['kind'], { child, host, port }: Started, records?: StreamRecords): Engine => {
  let stopping = false;
  return {
    kind,
    client: clientOf(`http://${host}:${port}`),
    died: new Promise((resolve) => child.exited.then((words) => stopping || resolve(words))),
    trim: (table, sequenceNumber) => records?.trim(table, sequenceNumber),
    async stop() {
      if (!stopping) records?.close();
      stopping = true;
      await child.stop();
    },
  };
};

const startDynoxide = (program: string, file: string | undefined): Promise<Started> =>
  retrying(freeHiddenPort, async ({ host, port }) => {
    const child = await startTied([program, 'serve', '--host', host, '--port', String(port), ...(file ? ['--db-path', file] : [])]);
    await child.printed(/listening on/i);
    return child;
  });

/** Dynoxide's file is unlinked shared memory. Nothing is left behind, and it can be indexed. */
const startInMemory = async (program: string): Promise<Engine> => {
  if (!existsSync(sharedMemory)) return engineOf('dynoxide', await startDynoxide(program, undefined));
  const folder = mkdtempSync(join(sharedMemory, `bakery-${process.pid}-`));
  try {
    const file = join(folder, 'dynamodb.db');
    return engineOf('dynoxide', await startDynoxide(program, file), openStreamRecords(file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const startOnDisk = async (program: string, dataDir: string): Promise<Engine> => {
  const file = join(dataDir, 'dynamodb.db');
  const started = await startAlone(dataDir, () => startDynoxide(program, file));
  return engineOf('dynoxide', started, openStreamRecords(file));
};

const startJava = async (java: string, folder: string, dataDir: string | undefined): Promise<Engine> => {
  const data = dataDir && join(dataDir, 'dynamodb-local');
  const start = () => retrying(freePort, (address) => startDynamoDbLocal(java, folder, address, data));
  return engineOf('dynamodb-local', await (data ? startAlone(data, start) : start()));
};

/**
 * Starts the best engine of this machine. Throws a `UsageError` of one sentence if none can start.
 */
export const startEngine = async ({ dataDir, locate = locateEngine }: EngineOptions = {}): Promise<Engine> => {
  const source = locate();
  if (!source) throw new UsageError(noEngine);
  switch (source.kind) {
    case 'dynoxide':
      return dataDir ? startOnDisk(source.program, dataDir) : startInMemory(source.program);
    case 'dynamodb-local':
      return startJava(source.java, source.folder, dataDir);
    case 'endpoint':
      return { kind: 'endpoint', client: clientOf(source.url), died: new Promise(() => {}), trim: () => {}, stop: async () => {} };
  }
};

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Returns a port of the address that was just free. Rejects if the system lacks the address. */
const freePortOf = async (host: string): Promise<Address> => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port number.');
  return { host, port: address.port };
};

/** Returns a free address of 127.0.0.1. It may be taken by now, so the caller must retry. */
const freePort = (): Promise<Address> => freePortOf('127.0.0.1');

/**
 * Returns a free address in 127/8 that no web page finds by trying. Linux has all of these
 * addresses; a system with 127.0.0.1 alone gets that one.
 */
const freeHiddenPort = (): Promise<Address> =>
  freePortOf(`127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`).catch(freePort);

/** DynamoDB's two APIs, by the version string that selects each in a request. */
type EngineApi = 'DynamoDB_20120810' | 'DynamoDBStreams_20120810';

/**
 * Returns calls for tables and streams that no function makes. Input and output have their wire
 * format. `call` throws an error with the engine's name for it, for example
 * `ResourceNotFoundException`.
 */
export const engineCalls = (config: EngineConfig, api: EngineApi) => {
  const client = new DynamoDBClient(config);
  return {
    call: async <Output>(operation: string, input: object) => (await client.call(`${api}.${operation}`, JSON.stringify(input))) as Output,
    [Symbol.dispose]: () => client.destroy(),
  };
};
