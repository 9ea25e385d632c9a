import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { type GroupName, groupNames, groups } from '../functions/groups.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { type FunctionName, functionNames, specOf } from '../lib/functions.ts';
import { apiPrefix, type Route } from '../shared/core/routes.ts';

/**
 * Load and first invocation of every deployed bundle, each in a process of its own, beside a plain
 * bundle of the SDK. DynamoDB, SQS and S3 are a server on loopback that knows no item and accepts
 * everything, so the first invocation runs the SDK's whole path: serialize, sign, send, parse.
 *
 *   node bench/cold-start.ts [rounds=15]
 */
const rounds = Number(process.argv[2] ?? 15);

const plainName = '(plain SDK: client + lib)';
const plainSdk = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  export const handler = () => client.send(new GetCommand({ TableName: 'table', Key: { pk: 'a', sk: 'b' } }));
`;

const request = (method: string, path: string) => ({
  version: '2.0',
  routeKey: `${method} ${path}`,
  rawPath: path,
  rawQueryString: '',
  headers: { authorization: `Bearer svc_sk_live_us_${'a'.repeat(43)}`, host: 'abc.execute-api.us-east-1.amazonaws.com' },
  requestContext: { requestId: 'bench', routeKey: `${method} ${path}`, http: { method, path, sourceIp: '192.0.2.1', userAgent: 'bench' } },
  isBase64Encoded: false,
});

const message = JSON.stringify({ v: 1, account: 'acct_1', endpoint: 'whe_1', event: 'evt_1', run: 1, attempt: 0 });

/** Returns a group's first GET route, or its first route without one. */
const firstOf = (group: GroupName) => {
  const routes: readonly Route[] = groups[group];
  const { method, path } = (routes.find((one) => one.method === 'GET') ?? routes[0]) as Route;
  return request(method, `${apiPrefix}${path}`);
};

const otherEvents: Record<Exclude<FunctionName, GroupName>, unknown> = {
  'checkout-page': request('GET', '/checkout/acct_1/cs_1'),
  fallback: request('GET', '/api/v2/nothing'),
  actions: { action: 'account.get', account: 'acct_1', input: {} },
  'fan-out': { Records: [{ eventID: '1', eventName: 'INSERT', dynamodb: { SequenceNumber: '1', Keys: { pk: { S: 'exp#acct_1' } } } }] },
  deliver: { Records: [{ messageId: '1', body: message, attributes: { ApproximateReceiveCount: '1' } }] },
  'search-sync': { Records: [{ messageId: '1', body: JSON.stringify({ v: 1, account: 'acct_1', product: 'prd_1' }) }] },
  sweep: {},
};
const firstEvents: Record<string, unknown> = { ...Object.fromEntries(groupNames.map((group) => [group, firstOf(group)])), ...otherEvents };

/** Runs in the measured process. */
const probe = `
  process.on('uncaughtException', ({ message }) => { console.error(message); process.exit(1); });
  const [file, event] = process.argv.slice(-2);
  const before = process.cpuUsage();
  const start = performance.now();
  const { handler } = await import(file);
  const loaded = performance.now();
  await handler(JSON.parse(event), {});
  const totalMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  console.error(JSON.stringify({ loadMs: loaded - start, totalMs, cpuMs: (user + system) / 1000 }));
  process.exit();
`;

interface Subject {
  readonly name: string;
  readonly file: string;
  readonly loaded: readonly string[];
  readonly event: unknown;
  readonly variables: readonly string[];
}

interface Sample {
  readonly loadMs: number;
  readonly totalMs: number;
  /** CPU time hardly changes with other work on the machine. */
  readonly cpuMs: number;
}

const measure = async ({ file, event, variables }: Subject, endpoint: string): Promise<Sample> => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', probe, pathToFileURL(file).href, JSON.stringify(event)],
    {
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        AWS_ENDPOINT_URL: endpoint,
        ...Object.fromEntries(variables.map((name) => [name, name === 'SERVICE_REGION' ? 'us' : `${endpoint}/${name.toLowerCase()}`])),
      },
    },
  );
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Sample;
};

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const startEmptyAws = async (): Promise<Server> => {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const prepare = async (directory: string): Promise<readonly Subject[]> => {
  const plainFile = join(directory, 'plain.mjs');
  await build({
    stdin: { contents: plainSdk, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outfile: plainFile,
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const emptyFile = join(directory, 'empty.mjs');
  await writeFile(emptyFile, 'export const handler = async () => ({});');
  const bundles = await bundleFunctions(directory);
  return [
    { name: '(nothing)', file: emptyFile, loaded: [emptyFile], event: {}, variables: [] },
    { name: plainName, file: plainFile, loaded: [plainFile], event: {}, variables: [] },
    ...functionNames.map((name) => ({
      name,
      file: bundles[name].file,
      loaded: bundles[name].loaded,
      event: firstEvents[name],
      variables: specOf(name).environment,
    })),
  ];
};

const main = async (): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'cold-start-'));
  const server = await startEmptyAws();
  try {
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const subjects = await prepare(directory);
    const samples = new Map(subjects.map(({ name }) => [name, [] as Sample[]]));
    // Alternate rounds, so that a busy moment of the machine affects all bundles.
    for (let round = 0; round < rounds; round++)
      for (const subject of subjects) samples.get(subject.name)?.push(await measure(subject, endpoint));
    const medianOf = (name: string, figure: keyof Sample) => median((samples.get(name) ?? []).map((sample) => sample[figure]));
    const ofPlain = (name: string, figure: keyof Sample) => Number((medianOf(name, figure) / medianOf(plainName, figure)).toFixed(2));
    const rows = await Promise.all(
      subjects.map(async ({ name, loaded }) => {
        const code = Buffer.concat(await Promise.all(loaded.map((file) => readFile(file))));
        return [
          name,
          {
            'min KB': Math.round(code.length / 100) / 10,
            'gzip KB': Math.round(gzipSync(code, { level: 9 }).length / 100) / 10,
            'load ms': Number(medianOf(name, 'loadMs').toFixed(1)),
            'load + first ms': Number(medianOf(name, 'totalMs').toFixed(1)),
            'of plain': ofPlain(name, 'totalMs'),
            'CPU of plain': ofPlain(name, 'cpuMs'),
          },
        ] as const;
      }),
    );
    console.log(`Node ${process.version}, ${process.arch}, median of ${rounds} processes each`);
    console.table(Object.fromEntries(rows));
  } finally {
    server.close();
    await rm(directory, { recursive: true, force: true });
  }
};

await main();
