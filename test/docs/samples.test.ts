import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import { deliveryHeaders, newSecret } from '../../shared/webhooks/signing.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { openApi } from '../support/openapi.ts';
import { runShell } from '../support/shell.ts';
import { sampleOf, sectionOf, textOf } from './page.ts';
import { operations, playSamples, type Runner, servedPage } from './samples.ts';

const run = promisify(execFile);

let journey: Journey;
let folder: string;
beforeAll(async () => {
  [journey, folder] = await Promise.all([startJourney({ regions: ['us'], seed: true }), mkdtemp(join(tmpdir(), 'samples-'))]);
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});
afterAll(async () => {
  await journey.stop();
  await rm(folder, { recursive: true });
});

const runCurl: Runner = async (programs) => {
  const printed: unknown[] = [];
  for (const program of programs) printed.push(JSON.parse(await runShell(program)));
  return printed;
};

const client = JSON.stringify(resolve('clients/typescript/src/index.ts'));
let count = 0;
/** Saves TypeScript samples with the path to this repository's package. */
const saved = (programs: readonly string[]): Promise<string[]> =>
  Promise.all(
    programs.map(async (program) => {
      const name = `sample-${count++}.ts`;
      await writeFile(join(folder, name), `${program.replace("'@bakery-commerce/client'", client)}\nexport {};\n`);
      return name;
    }),
  );

const runTypeScript: Runner = async (programs) => {
  const names = await saved(programs);
  const runner = `
    const all = [];
    for (const name of ${JSON.stringify(names)}) {
      console.log = (value) => all.push(value);
      await import(${JSON.stringify(`${folder}/`)} + name).catch((error) => all.push(error.body ?? { thrown: String(error) }));
    }
    process.stdout.write(JSON.stringify(all));`;
  return JSON.parse((await run(process.execPath, ['--input-type=module', '-e', runner], { cwd: folder })).stdout);
};

test.each([
  ['curl', 'bash', runCurl],
  ['TypeScript', 'ts', runTypeScript],
] as const)('every sample in %s runs as it is printed, and prints the response of the page', async (_name, language, runAll) => {
  expect(await playSamples(journey, language, runAll)).toEqual([]);
});

test('the first request of the start page returns the response beside it', async () => {
  const figures = [...(await servedPage(journey, '')).matchAll(/<figure .*?<code>(.*?)<\/code>/gs)];
  const [request = '', response = ''] = figures.map(([, code = '']) => textOf(code));
  expect(JSON.parse(await runShell(request))).toEqual(JSON.parse(response));
});

test('every sample in TypeScript compiles, and a receiver of every event accepts and prints it', async () => {
  const types = Object.keys(openApi.webhooks);
  const secret = newSecret({ bytes: (size) => Buffer.alloc(size, 1) });
  const samples = await Promise.all(types.map(async (type) => sampleOf(await servedPage(journey, `events/${type}/`), 'ts')));
  const names = await saved(samples);
  const deliveries = types.map((type, i) => {
    const content = openApi.webhooks[type].post.requestBody.content['application/json'];
    const body = JSON.stringify(content.examples[type].value);
    return { name: names[i], body, headers: deliveryHeaders({ eventId: 'evt_1', secret, nowMs: systemClock.now(), body }) };
  });
  const runner = `
    const all = [];
    console.log = (value) => all.push(value);
    for (const { name, body, headers } of ${JSON.stringify(deliveries)}) await (await import(${JSON.stringify(`${folder}/`)} + name)).receive(new TextEncoder().encode(body), headers);
    process.stdout.write(JSON.stringify(all));`;
  const env = { ...process.env, BAKERY_WEBHOOK_SECRET: secret };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', runner], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual(deliveries.map(({ body }) => JSON.parse(body).data.object));

  const options = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
    include: ['*.ts'],
    exclude: [],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const compiled = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).catch((error) => error);
  expect(compiled.stdout).toBe('');
});

test('every sample in Python calls the method of its client that the sample in TypeScript calls', async () => {
  const texts = await Promise.all(
    operations.map(async ({ id, page }) => {
      const section = sectionOf(await servedPage(journey, page), id);
      return [sampleOf(section, 'python'), sampleOf(section, 'ts')] as const;
    }),
  );
  const callIn = (text: string) => /client\.(\w+\.\w+)\(/.exec(text)?.[1];
  const snake = (name = '') => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  expect(texts.map(([python]) => callIn(python))).toEqual(texts.map(([, ts]) => snake(callIn(ts))));
});
