import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { type Bundle, type Bundles, buildOptions, bundleFunction, bundleFunctions } from '../../lib/bundle.ts';
import { type FunctionName, functionNames, specOf } from '../../lib/functions.ts';

let outputRoot: string;
let bundles: Bundles;
let installed: string[];
beforeAll(async () => {
  outputRoot = await mkdtemp(join(tmpdir(), 'bundles-'));
  bundles = await bundleFunctions(outputRoot);
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as { devDependencies: object };
  installed = Object.keys(manifest.devDependencies);
});
afterAll(() => rm(outputRoot, { recursive: true, force: true }));

/**
 * Bytes (gzip) that a cold start loads, and of all files. Functions behind a queue may load more,
 * because no caller waits for them.
 */
const budgetsBytes: Partial<Record<FunctionName, readonly [loaded: number, all: number]>> & { readonly others: readonly [number, number] } =
  {
    // A refund loads Stripe's library. Sandboxes and the rewriting of a search are 2 KB.
    actions: [152_500, 271_900],
    // The translations and the code for refunds are files of their own, which few visits load.
    'checkout-page': [103_100, 161_600],
    deliver: [92_200, 104_100],
    'fan-out': [106_500, 145_600],
    // Both ask with the socket of deliveries, which reads compressed responses. The sweep also reads
    // checkout sessions.
    sweep: [89_700, 122_000],
    webhooks: [100_300, 100_300],
    others: [89_700, 100_100],
  };

const sizeOf = async (files: readonly string[]): Promise<number> =>
  (await Promise.all(files.map(async (file) => gzipSync(await readFile(file), { level: 9 }).length))).reduce((sum, size) => sum + size, 0);

/**
 * Loads the bundle in a process of its own, as Lambda does, with nothing else in its environment:
 * first whole, then once without each variable. Returns `function` or why it did not start.
 */
const probe = `
  const [file, ...names] = process.argv.slice(1);
  const outcomes = [];
  for (const missing of [undefined, ...names]) {
    const value = process.env[missing];
    if (missing) delete process.env[missing];
    outcomes.push(await import(file + '?without=' + missing).then(({ handler }) => typeof handler, ({ message }) => message));
    if (missing) process.env[missing] = value;
  }
  console.log(JSON.stringify(outcomes));
`;
const outcomesOf = async ({ file }: Bundle, variables: readonly string[]): Promise<string[]> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', probe, pathToFileURL(file).href, ...variables],
    {
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
        ...Object.fromEntries(variables.map((variable) => [variable, variable === 'SERVICE_REGION' ? 'us' : `test-${variable}`])),
      },
    },
  );
  return JSON.parse(stdout) as string[];
};

test('a bundle contains no file of an earlier build', async () => {
  const directory = join(outputRoot, 'earlier', 'fallback');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'chunk-EARLIER.mjs'), '');
  const { files } = await bundleFunction('fallback', join(outputRoot, 'earlier'));
  expect(await readdir(directory)).toEqual(files.map((file) => basename(file)).sort());
});

/** Bundles a resource whose `fields.ts` has this source. */
const bundleFields = async (fields: string): Promise<string> => {
  const domain = join(outputRoot, 'scratch/shared/domain');
  await mkdir(join(domain, 'cake'), { recursive: true });
  await writeFile(join(domain, 'record-fields.ts'), 'export const field = (type) => console.log(type);');
  await writeFile(join(domain, 'wire-shape.ts'), 'export const text = (about) => about;');
  await writeFile(join(domain, 'cake/fields.ts'), fields);
  const { outputFiles } = await build({
    ...buildOptions,
    entryPoints: [join(domain, 'cake/fields.ts')],
    outdir: domain,
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('\n');
};

test('a bundle contains no declaration of a field, however its building blocks are imported', async () => {
  const imports = ["import { field } from '../record-fields.ts'; // Rows.", "import {\n  text, // Types.\n} from '../wire-shape.ts';"];
  expect((await bundleFields(`${imports.join('\n')}\nconst name = field(text('Name of the cake.'));`)).trim()).toBe('');
});

test('the build fails if it finds no declaration of a field in a fields.ts', async () => {
  await expect(bundleFields('export const name = 1;')).rejects.toThrow('declares no field');
});

describe.each(functionNames.map((name) => [name] as const))('%s', (name) => {
  test(`${name} stays within its budgets for a cold start and in total`, async () => {
    const { loaded, files } = bundles[name];
    const sizes = [await sizeOf(loaded), await sizeOf(files)];
    const budget = budgetsBytes[name] ?? budgetsBytes.others;
    expect([name, sizes.map((size, i) => size <= (budget[i] ?? 0)), sizes]).toEqual([name, [true, true], sizes]);
  });

  test(`${name} contains no development dependency and no code that is not deployed`, () => {
    const inputs = Object.keys(bundles[name].metafile.inputs);
    expect(inputs.length).toBeGreaterThan(3);
    const foreign = inputs.filter(
      (input) =>
        /^(local|test|bench|bin|lib)\//.test(input) || installed.some((dependency) => input.includes(`node_modules/${dependency}/`)),
    );
    expect(foreign).toEqual([]);
  });

  test(`${name} contains no description of a field`, async () => {
    const { schemas } = JSON.parse(await readFile('docs/openapi.json', 'utf8')).components;
    const descriptions = Object.values(schemas as Record<string, { properties?: Record<string, { description?: string }> }>)
      .flatMap(({ properties = {} }) => Object.values(properties))
      .flatMap(({ description = '' }) => (description.length > 20 ? [description] : []));
    expect(descriptions.length).toBeGreaterThan(100);
    const code = (await Promise.all(bundles[name].files.map((file) => readFile(file, 'utf8')))).join('\n');
    expect(descriptions.filter((text) => code.includes(text))).toEqual([]);
  });

  test(`${name} imports only its own files`, () => {
    const { outputs } = bundles[name].metafile;
    const imported = Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
    expect(imported.filter((path) => !(path in outputs))).toEqual([]);
  });

  test(`${name} starts with exactly its deployed environment variables`, async () => {
    const { environment } = specOf(name);
    expect(await outcomesOf(bundles[name], environment)).toEqual([
      'function',
      ...environment.map((missing) => expect.stringContaining(missing)),
    ]);
  });
});
