import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import ts from 'typescript';
import { type Journey, startJourney } from '../support/journey.ts';

const run = promisify(execFile);
const source = 'clients/typescript';

let folder: string;
let packed: readonly string[];
let journey: Journey;

/**
 * A project outside this repository, with the package built as the release does and without a
 * registry.
 */
beforeAll(async () => {
  [folder, journey] = await Promise.all([mkdtemp(join(tmpdir(), 'shop-')), startJourney({ regions: ['us'] })]);
  const { stdout } = await run('npm', ['pack', `./${source}`, '--json', '--pack-destination', folder]);
  const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  expect(await readFile(`${source}/README.md`, 'utf8')).toMatch(
    new RegExp(`npm install https://\\S+/releases/download/typescript-v[\\d.]+/${filename}\\n`),
  );
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder });
});
afterAll(async () => {
  await journey.stop();
  await rm(folder, { recursive: true });
});

test('the package contains the build, its README, its licence, and no dependency', async () => {
  const outside = packed.filter((path) => !path.startsWith('dist/'));
  expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  expect(packed).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/generated/types.gen.d.ts']));
  const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@bakery-commerce/client/package.json'), 'utf8'));
  expect([manifest.dependencies, manifest.sideEffects]).toEqual([undefined, ['./dist/node.js', './dist/commonjs/node.js']]);
});

test('the installed package works as its page says', async () => {
  const { key } = await journey.merchant();
  const script = `
    import { ApiError, createClient, verifyWebhook } from '@bakery-commerce/client';
    const client = createClient({ apiKey: ${JSON.stringify(key)}, baseUrl: ${JSON.stringify(`${journey.runtime.urls.us}/api/v2`)} });
    const order = await client.orders.create({ items: [{ name: 'Birthday cake', quantity: 1, unit_price: 48 }] });
    const found = [];
    for await (const { id } of client.orders.listAll()) found.push(id === order.id);
    const { code } = await client.orders.retrieve('ord_none').catch((error) => error instanceof ApiError && error);
    const reason = await verifyWebhook({ rawBody: '', headers: {}, secrets: 's' }).catch((error) => error.reason);
    console.log(JSON.stringify([order.total, found, code, reason]));`;
  await writeFile(join(folder, 'main.js'), script);
  const { stdout } = await run(process.execPath, ['main.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual([48, [true], 'not_found', 'missing']);
});

test('the package installs the command bakery-listen', async () => {
  const { stdout } = await run(join(folder, 'node_modules/.bin/bakery-listen'), ['--help'], { cwd: folder });
  expect(stdout).toContain('--public-url');
});

test('the package runs if Web Crypto is no global, for example in Node 18', async () => {
  const script = `
    delete globalThis.crypto;
    const { verifyWebhook } = await import('@bakery-commerce/client');
    const headers = { 'x-webhook-signature': 't=1,v1=' + '0'.repeat(64) };
    console.log(typeof globalThis.crypto, await verifyWebhook({ rawBody: '', headers, secrets: 's' }).catch(({ reason }) => reason));`;
  await writeFile(join(folder, 'old.js'), script);
  expect((await run(process.execPath, ['old.js'], { cwd: folder })).stdout).toBe('undefined mismatch\n');
});

/** Compiles with a version of TypeScript; fails with what it printed. */
const compile = async ([version = '', ...first]: readonly string[], options: readonly string[], cwd: string) => {
  const tsc = resolve(`node_modules/${version}/bin/tsc`);
  const all = [...first, '--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', ...options];
  await run(process.execPath, [tsc, ...all], { cwd }).catch(({ stdout, stderr }) => {
    throw new Error(stdout || stderr);
  });
};

test('the types of the package accept valid calls and reject invalid ones, with library checks on', async () => {
  const sample = `
    import { ApiError, createClient, verifyWebhook, type Order, type OrderInput } from '@bakery-commerce/client';
    const client = createClient({ apiKey: 'svc_sk_live_us_k', domain: 'bakery.test' });
    const body: OrderInput = { items: [{ name: 'Cake', quantity: 1, unit_price: 3 }] };
    const order: Order = await client.orders.create(body, { idempotencyKey: 'k', signal: AbortSignal.timeout(1) });
    for await (const { amount } of client.expenses.listAll({ category: 'rent' })) amount.toFixed(2);
    const event = await verifyWebhook({ rawBody: new Uint8Array(), headers: new Headers(), secrets: ['a', 'b'] });
    if (event.type === 'inventory.low') console.log(event.data.object.reorder_point);
    if (event.type === 'webhook.test') console.log(event.data.object.timestamp);
    try { await client.webhooks.rotateSecret(order.id); } catch (error) { if (error instanceof ApiError && error.code === 'not_found') console.log(error.status); }
    // @ts-expect-error: an unknown status
    client.orders.list({ status: ['lost'] });
    // @ts-expect-error: an item needs a quantity
    client.orders.create({ items: [{ name: 'Cake' }] });
    // @ts-expect-error: this method takes no key
    client.webhooks.test('whe_1', { idempotencyKey: 'k' });
    // @ts-expect-error: payments have no stock
    if (event.type === 'payment.created') console.log(event.data.object.current_stock);
    // @ts-expect-error: no URL to call
    createClient({ apiKey: 'k' });
  `;
  await writeFile(join(folder, 'sample.ts'), sample);
  for (const version of ['typescript', 'typescript-7']) await compile([version], ['--noEmit', '--module', 'nodenext', 'sample.ts'], folder);
});

const both = ['module', 'commonjs'];
/** Every value of `module`, with values of `moduleResolution` and the types of packages that can run it. */
const moduleSettings = {
  CommonJS: [['Node10', 'Bundler'], ['commonjs']],
  ES2015: [['Bundler'], ['module']],
  ES2020: [['Bundler'], ['module']],
  ES2022: [['Bundler'], ['module']],
  ESNext: [['Node10', 'Bundler'], ['module']],
  Node16: [['Node16'], both],
  Node18: [['Node16'], both],
  Node20: [['Node16'], both],
  NodeNext: [['NodeNext'], both],
  Preserve: [['Bundler'], ['module']],
} as const;
type Module = keyof typeof moduleSettings;
type Setting = readonly [module: Module, resolution: (typeof moduleSettings)[Module][0][number], type: string];

const settings = Object.entries(moduleSettings).flatMap(([module, [resolutions, types]]) =>
  resolutions.flatMap((resolution) => types.map((type) => [module, resolution, type] as Setting)),
);

test('the settings of the table are all that TypeScript has', () => {
  const removed = ['None', 'AMD', 'UMD', 'System', 'Classic', 'NodeJs', 'Node'];
  const namesOf = (kinds: object) => Object.keys(kinds).filter((name) => !/^\d+$/.test(name) && !removed.includes(name));
  expect(namesOf(ts.ModuleKind).sort()).toEqual(Object.keys(moduleSettings).sort());
  expect(namesOf(ts.ModuleResolutionKind).sort()).toEqual([...new Set(settings.map(([, resolution]) => resolution))].sort());
});

test.each(settings)(
  'a program with module %s and moduleResolution %s, in a package of type %s, has types and runs',
  async (module, resolution, type) => {
    const place = join(folder, `${module}-${resolution}-${type}`);
    await mkdir(place);
    await writeFile(join(place, 'package.json'), JSON.stringify({ type }));
    const sample = `
    import { ApiError, createClient, verifyWebhook, type Order } from '@bakery-commerce/client';
    export const orderOf = (): Promise<Order> => createClient({ apiKey: 'svc_sk_live_us_k', domain: 'bakery.test' }).orders.retrieve('o');
    // @ts-expect-error: no such field
    export const wrong = async () => (await orderOf()).nothing;
    console.log(typeof ApiError, typeof createClient, typeof verifyWebhook);`;
    await writeFile(join(place, 'main.ts'), sample);
    // TypeScript 7 has no node10.
    const version = resolution === 'Node10' ? ['typescript', '--ignoreDeprecations', '6.0'] : ['typescript-7'];
    await compile(version, ['--module', module, '--moduleResolution', resolution, 'main.ts'], place);
    expect((await run(process.execPath, ['main.js'], { cwd: place })).stdout).toBe('function function function\n');
  },
);

test('a bundler for browsers needs no module of Node, and omits unused code', async () => {
  const bundle = async (contents: string) => {
    const stdin = { contents, resolveDir: folder };
    const { outputFiles, warnings } = await build({
      stdin,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
    });
    expect(warnings).toEqual([]);
    return outputFiles[0]?.text ?? '';
  };
  const wholeClient = await bundle("export * from '@bakery-commerce/client'");
  const verifyOnly = await bundle("export { verifyWebhook } from '@bakery-commerce/client'");
  expect(wholeClient).toContain('/search-token');
  expect([verifyOnly.includes('/search-token'), verifyOnly.includes('verifyWebhook')]).toEqual([false, true]);
});
