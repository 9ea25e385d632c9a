import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import { deliveryHeaders, newSecret } from '../../shared/webhooks/signing.ts';
import { actIn, type Journey, startJourney } from '../support/journey.ts';
import { faultsOf, openApi } from '../support/openapi.ts';
import { answerOf, sampleOf, sectionOf } from './page.ts';

const run = promisify(execFile);

interface Operation {
  readonly id: string;
  readonly page: string;
  /** About an endpoint that has to be registered first. */
  readonly ofEndpoint: boolean;
  readonly schema: unknown;
}

/** In the order of the pages, where what ends the others' record comes last. */
const operations: readonly Operation[] = Object.entries<any>(openApi.paths)
  .flatMap(([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })))
  .filter(({ operation }) => operation.operationId)
  .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
  .map(({ path, operation }) => ({
    id: operation.operationId,
    page: `reference/${operation.tags[0].toLowerCase().replace(' ', '-')}/`,
    ofEndpoint: path.startsWith('/webhooks/'),
    schema: Object.entries<any>(operation.responses).find(([status]) => status.startsWith('2'))?.[1].content['application/json'].schema,
  }));

/** What the demo account of a fresh service cannot do, and what it answers. */
const refused: Readonly<Record<string, string>> = { createSearchToken: 'search_not_configured' };

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

const pageOf = async (path: string): Promise<string> => (await journey.request(`${journey.runtime.urls.us}/docs/${path}`, 'GET')).text;

const freeMembers = ['custom_fields', 'metadata', 'delivery_address'];

/** Where two answers differ in their members and types; null stands for a value of any type, an empty list for a list of anything. */
const shapeDifferences = (printed: unknown, real: unknown, path = ''): string[] => {
  if (printed === null || real === null) return [];
  if (typeof printed !== typeof real || Array.isArray(printed) !== Array.isArray(real))
    return [`${path}: ${typeof printed}, ${typeof real}`];
  if (typeof printed !== 'object' || typeof real !== 'object') return [];
  if (Array.isArray(printed) && Array.isArray(real))
    return printed.length > 0 && real.length > 0 ? shapeDifferences(printed[0], real[0], `${path}/0`) : [];
  const [ours, theirs] = [printed as Record<string, unknown>, real as Record<string, unknown>];
  const missing = Object.keys({ ...ours, ...theirs }).filter((name) => name in ours !== name in theirs);
  return [
    ...missing.map((name) => `${path}/${name} is on one side only`),
    ...Object.keys(ours).flatMap((name) =>
      freeMembers.includes(name) ? [] : shapeDifferences(ours[name], theirs[name], `${path}/${name}`),
    ),
  ];
};

/** Runs programs in their order, and gives what each printed: a value, or the body of a refusal. */
type Runner = (programs: readonly string[]) => Promise<readonly any[]>;

const runCurl: Runner = async (programs) => {
  const printed: unknown[] = [];
  for (const program of programs) printed.push(JSON.parse((await run('bash', ['-c', program])).stdout));
  return printed;
};

const client = JSON.stringify(resolve('clients/typescript/src/index.ts'));
let count = 0;
/** Saves TypeScript samples with the way to the package of this repository. */
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

const differencesOf = ({ id, schema }: Operation, section: string, answer: any): readonly string[] => {
  if (refused[id]) return answer.error?.code === refused[id] ? [] : [`${id}: ${JSON.stringify(answer)}`];
  return [...faultsOf(schema, answer), ...shapeDifferences(answerOf(section), answer)].map((fault) => `${id}: ${fault}`);
};

test.each([
  ['curl', 'bash', runCurl],
  ['TypeScript', 'ts', runTypeScript],
] as const)('every sample in %s runs as it is printed, and answers as the page says', async (_name, language, runAll) => {
  const account = journey.runtime.demo.us?.account ?? '';
  const play = async (played: readonly Operation[]) => {
    const pages = new Map(
      await Promise.all([...new Set(played.map(({ page }) => page))].map(async (page) => [page, await pageOf(page)] as const)),
    );
    const sections = played.map(({ id, page }) => sectionOf(pages.get(page) ?? '', id));
    const answers = await runAll(sections.map((section) => sampleOf(section, language)));
    expect(answers).toHaveLength(played.length);
    return { answers, differences: played.flatMap((operation, i) => differencesOf(operation, sections[i] ?? '', answers[i])) };
  };
  const first = operations.filter(({ ofEndpoint }) => !ofEndpoint);
  const { answers, differences } = await play(first);
  expect(differences).toEqual([]);
  const endpoint = answers[first.findIndex(({ id }) => id === 'createWebhook')];
  await actIn(journey.runtime, 'us', 'webhook.update', { id: endpoint.id, url: journey.receiver.hook().url }, account);
  // The page knows the endpoint now.
  expect((await play(operations.filter(({ ofEndpoint }) => ofEndpoint))).differences).toEqual([]);
});

test('every sample in TypeScript passes the compiler, and a receiver of every event takes what was signed and prints its object', async () => {
  const types = Object.keys(openApi.webhooks);
  const secret = newSecret({ bytes: (size) => Buffer.alloc(size, 1) });
  const samples = await Promise.all(types.map(async (type) => sampleOf(await pageOf(`events/${type}/`), 'ts')));
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
