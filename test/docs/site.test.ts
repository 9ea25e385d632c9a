import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { guides } from '../../pages/docs/guides.ts';
import { endpoints } from '../contract/specification.ts';
import { type Journey, startJourney } from '../support/journey.ts';
import { openApi } from '../support/openapi.ts';
import { runShell } from '../support/shell.ts';
import { anchorsOf, linksOf, sampleOf, sectionOf, textOf } from './page.ts';

const run = promisify(execFile);

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
const build = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, ['pages/docs/build.ts', ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

const operations = Object.values<any>(openApi.paths).flatMap((item) => Object.values<any>(item).filter(({ operationId }) => operationId));
const pageOf = ({ tags }: any): string => `reference/${tags[0].toLowerCase().replace(' ', '-')}/index.html`;
const eventTypes = Object.keys(openApi.webhooks);

let folder: string;
let files: Map<string, string>;
let journey: Journey;
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'docs-')), 'site');
  const [built, started] = await Promise.all([build(folder), startJourney({ regions: ['us'], seed: true })]);
  journey = started;
  expect(built).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+ files are in /), stderr: '' });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  files = new Map(await Promise.all(names.map(async (name) => [name.slice(folder.length + 1), await readFile(name, 'utf8')] as const)));
});
afterAll(async () => {
  await journey.stop();
  await rm(join(folder, '..'), { recursive: true });
});

const pages = () => [...files].filter(([name]) => name.endsWith('.html'));
const read = (name: string): string => files.get(name) ?? '';

const base = new URL('https://any.example/some/where/');
/** The file that a static file server would send. */
const fileAt = ({ pathname }: URL): string | undefined => {
  if (!pathname.startsWith(base.pathname)) return undefined;
  const name = pathname.slice(base.pathname.length);
  return files.get(name === '' || name.endsWith('/') ? `${name}index.html` : name);
};

describe('the built site', () => {
  test('every link leads to a file of the site, and to an anchor that is there, from any address', () => {
    // The page of unknown addresses has links from the root: it cannot know how deep it is shown.
    const placed = pages().map(
      ([page, html]) => [page, html.replaceAll(/(href|src)="\//g, page === '404.html' ? '$1="./' : '$&')] as const,
    );
    const broken = placed.flatMap(([page, html]) =>
      linksOf(html).flatMap((href) => {
        const target = new URL(href, new URL(page, base));
        if (target.protocol === 'data:' || target.origin !== base.origin) return [];
        const file = fileAt(target);
        const anchor = decodeURIComponent(target.hash.slice(1));
        return file !== undefined && (anchor === '' || anchorsOf(file).has(anchor)) ? [] : [`${page}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  test('every operation has a section with path, scope, fields, codes and a response, even without scripts', () => {
    expect(operations).toHaveLength(endpoints.length);
    const missing = operations.flatMap((operation) => {
      const section = sectionOf(read(pageOf(operation)), operation.operationId);
      const responses = Object.values<any>(operation.responses).map((one) =>
        one.$ref ? openApi.components.responses[one.$ref.split('/').at(-1)] : one,
      );
      const schema = operation.requestBody?.content['application/json'].schema.$ref?.split('/').at(-1);
      const expected = [
        operation.summary,
        operation['x-required-scope'],
        ...responses.flatMap((one: any) => one['x-error-codes'] ?? []),
        ...Object.keys(openApi.components.schemas[schema]?.properties ?? {}),
        ...(operation.parameters ?? []).flatMap(({ name }: any) => name ?? []),
        'rate_limit_exceeded',
        'plan_required',
      ];
      const text = textOf(section);
      const [sample] = (['bash', 'ts', 'python'] as const).filter((language) => sampleOf(section, language) === '');
      return [
        ...expected.filter((word) => !text.includes(word)),
        ...(sample ? [sample] : []),
        ...(text.includes('Response, 20') ? [] : ['response']),
      ].map((word) => `${operation.operationId}: ${word}`);
    });
    expect(missing).toEqual([]);
  });

  test('every event has a page with every field of its payload, a delivery and the headers', () => {
    const missing = eventTypes.flatMap((type) => {
      const text = textOf(read(`events/${type}/index.html`));
      const { post } = openApi.webhooks[type];
      const { value } = Object.values<any>(post.requestBody.content['application/json'].examples)[0];
      const expected = [post.summary, value.id, ...Object.keys(value.data.object), 'X-Webhook-Signature-Previous', 'verifyWebhook'];
      return expected.filter((word) => !text.includes(word)).map((word) => `${type}: ${word}`);
    });
    expect(missing).toEqual([]);
  });

  test('an event that a payment on the hosted page makes says so', () => {
    const checkoutEvents = eventTypes.filter((type) => textOf(read(`events/${type}/index.html`)).includes('a checkout on the hosted page'));
    expect(checkoutEvents.toSorted()).toEqual([
      'customer.created',
      'order.created',
      'payment.completed',
      'payment.created',
      'payment.failed',
    ]);
  });

  test('no page takes more than 60 KB, packed, for its first view without pictures', () => {
    const packed = (name: string) => gzipSync(read(name)).length;
    const own = pages().map(([name]) => [name, packed(name) + packed('docs.css') + packed('docs.js')] as const);
    expect(own.filter(([, size]) => size > 60 * 1024)).toEqual([]);
  });

  test('every page has a description and an icon; guides and reference lead to the page before and after', () => {
    const without = (pattern: RegExp, names = pages()) => names.filter(([, html]) => !pattern.test(html)).map(([name]) => name);
    expect(without(/<meta name="description" content="[^"]{20,200}">/)).toEqual([]);
    expect(without(/<link rel="icon" type="image\/svg\+xml" href="[^"]*favicon.svg">/)).toEqual([]);
    expect(without(/class="neighbours"/).toSorted()).toEqual(['404.html', 'index.html']);
  });

  test('a sample in two languages is shown in tabs, each with its output', () => {
    const [panel = ''] = /<fieldset class="code samples".*?<\/fieldset>/s.exec(read('getting-started/index.html')) ?? [];
    expect([...panel.matchAll(/<pre [^>]*class="([^"]+)"/g)].map(([, names]) => names)).toEqual([
      'ts',
      'ts output',
      'python',
      'python output',
    ]);
  });

  test('Getting started begins with a clone, Node and `npm ci`, and says who needs none', () => {
    const [beginning = ''] = read('getting-started.md').split('```bash setup');
    expect(beginning).toMatch(/clone of the repository.*Node 18[\s\S]*npm ci\nnpm start[\s\S]*If you have an account, you need no clone/);
  });

  test('no two entries of the list of the reference have one name', () => {
    const [list = ''] = /<nav class="pages".*?<\/nav>/s.exec(read('reference/index.html')) ?? [];
    const names = [...list.matchAll(/<(?:a|summary)\b[^>]*>([^<]+)</g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('the built site contains only the keys that the guides make up', () => {
    const written = [...files].filter(([name]) => /^[\w-]+\.md$/.test(name)).map(([, text]) => text);
    const keys = [...files.values()].flatMap((text) => text.match(/svc_(sk|pk)_live_\w\w_[A-Za-z0-9_-]{43}/g) ?? []);
    expect(keys.filter((key) => !written.some((text) => text.toLowerCase().includes(key.toLowerCase())))).toEqual([]);
  });

  test('a sample of it runs with the variables that the guides set', async () => {
    const section = sectionOf(read('reference/products/index.html'), 'listProducts');
    const { secretKey } = journey.runtime.demo.us ?? {};
    const env = { ...process.env, BAKERY_URL: `${journey.runtime.urls.us}/api/v2`, BAKERY_API_KEY: secretKey };
    expect(JSON.parse(await runShell(sampleOf(section, 'bash'), { env })).data.length).toBeGreaterThan(0);
  });

  test('an environment for Postman has the address of each region, and on a service its keys', async () => {
    const valuesOf = (text: string) => Object.fromEntries(JSON.parse(text).values.map(({ key, value }: any) => [key, value]));
    expect(['us', 'au', 'eu'].map((region) => valuesOf(read(`postman-${region}.json`)))).toEqual(
      ['us', 'au', 'eu'].map((region) => ({
        BAKERY_URL: `https://${region}.api.example.com/api/v2`,
        BAKERY_API_KEY: '',
        BAKERY_PUBLISHABLE_KEY: '',
      })),
    );
    const { secretKey, publishableKey } = journey.runtime.demo.us ?? {};
    const { text } = await journey.request(`${journey.runtime.urls.us}/docs/postman-local.json`, 'GET');
    const values = { BAKERY_URL: `${journey.runtime.urls.us}/api/v2`, BAKERY_API_KEY: secretKey, BAKERY_PUBLISHABLE_KEY: publishableKey };
    expect(valuesOf(text)).toEqual(values);
  });

  test('every guide is there as Markdown, and llms.txt leads to each, to the reference and to both documents', () => {
    const linked = [...read('llms.txt').matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, href = '']) => href);
    expect(read('llms.txt')).toMatch(/^# Bakery Commerce\n\n> \S/);
    expect(linked.filter((name) => !files.has(name))).toEqual([]);
    expect(linked).toEqual(
      expect.arrayContaining([...guides.map(({ text }) => text), 'reference/orders.md', 'openapi.json', 'openapi-3.0.json']),
    );
    expect(guides.filter(({ slug }) => !read(slug === '' ? 'index.md' : `${slug}.md`).startsWith('# '))).toEqual([]);
    const own = [...files]
      .filter(([name]) => name.endsWith('.md'))
      .flatMap(([, text]) => [...text.matchAll(/\]\(([\w./-]+?)(?:#\S+)?\)/g)]);
    expect(own.map(([, href = '']) => href).filter((href) => !files.has(href))).toEqual([]);
  });

  test('a second run leaves its own files and nothing stale', async () => {
    await mkdir(join(folder, 'gone'));
    await writeFile(join(folder, 'gone/index.html'), 'of an earlier version');
    const list = JSON.parse(read('.bakery-docs.json'));
    await writeFile(join(folder, '.bakery-docs.json'), JSON.stringify([...list, 'gone/index.html']));
    expect(await build(folder)).toMatchObject({ code: 0 });
    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(names.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1)).sort()).toEqual([...files.keys()].sort());
  });

  test.each([
    ['a folder that holds something else', 'index.html', /holds index\.html, which this command did not write: choose an empty folder/],
    ['a folder with an invalid list', '.bakery-docs.json', /holds a \.bakery-docs\.json that this command did not write/],
    ['a file', '', /cannot be read as a folder/],
  ])('%s is rejected with a sentence and left as it is', async (name, existingFile, sentence) => {
    const path = join(folder, '..', name);
    if (existingFile) await mkdir(path);
    await writeFile(join(path, existingFile), 'mine');
    const { code, stdout, stderr } = await build(path);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim()).not.toContain('\n');
    expect(await readFile(join(path, existingFile), 'utf8')).toBe('mine');
    if (existingFile) expect(await readdir(path)).toHaveLength(1);
  });

  test('without a folder, the build of the site prints its usage', async () => {
    expect(await build()).toMatchObject({ code: 1, stderr: 'Usage: npm run build:docs -- DIR\n' });
  });
});

describe('the served site', () => {
  const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    journey.request(`${journey.runtime.urls.us}${path}`, method, { headers });

  test('the served site has every file of the built one, with the same places', async () => {
    const differing: string[] = [];
    for (const [name, text] of files) {
      if (name === '.bakery-docs.json') continue;
      const response = await ask(`/docs/${name.replace(/(^|\/)index\.html$/, '$1')}`);
      const isSame = name.endsWith('.html')
        ? [...anchorsOf(text)].every((id) => id.endsWith('-base') || anchorsOf(response.text).has(id))
        : response.text === text;
      const type = String(response.headers['content-type']);
      if (response.status !== 200 || !isSame || type.includes('octet')) differing.push(`${name}: ${response.status} ${type}`);
    }
    expect(differing).toEqual([]);
  });

  test("the served site redirects former addresses and a browser at the root; other clients get the API's response", async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/reference'])
      expect(await ask(path)).toMatchObject({ status: 308, headers: { location: `${path}/` } });
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    expect(await ask('/', 'GET', { accept })).toMatchObject({ status: 302, headers: { location: '/docs/', vary: 'Accept' } });
    expect(await ask('/', 'GET', { accept: '*/*' })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(await ask('/', 'POST', { accept })).toMatchObject({ status: 404 });
  });

  test('the samples of the served site have the keys of the demo account, and no other page has them', async () => {
    const { secretKey = '', publishableKey = '' } = journey.runtime.demo.us ?? {};
    const start = textOf((await ask('/docs/')).text);
    expect(start).toContain(
      `export BAKERY_URL=${journey.runtime.urls.us}/api/v2\nexport BAKERY_API_KEY=${secretKey}\nexport BAKERY_PUBLISHABLE_KEY=${publishableKey}`,
    );
    expect((await ask('/docs/errors/')).text).not.toContain(secretKey);
  });

  test('an unknown address gives a browser a page, and a program the error of the API', async () => {
    const page = await ask('/docs/nothing/here/', 'GET', { accept: 'text/html' });
    expect([page.status, page.headers['content-type'], textOf(page.text).includes('This page does not exist')]).toEqual([
      404,
      'text/html; charset=utf-8',
      true,
    ]);
    expect(linksOf(page.text).filter((href) => !href.startsWith('/') && !href.startsWith('#'))).toEqual([]);
    const { status, text } = await ask('/docs/nothing/here/');
    expect([status, JSON.parse(text).error.code]).toEqual([404, 'not_found']);
  });

  test('another host or method gets no page; pages forbid framing and caching', async () => {
    for (const path of ['/docs/', '/docs/reference/', '/docs/reference/orders/', '/docs/openapi.json'])
      expect((await ask(path, 'GET', { host: 'evil.example' })).status).toBe(403);
    expect((await ask('/docs/', 'POST')).status).toBe(405);
    const { headers } = await ask('/docs/reference/orders/', 'GET', { origin: 'https://evil.example' });
    expect([headers['access-control-allow-origin'], headers['cache-control'], headers['cross-origin-resource-policy']]).toEqual([
      undefined,
      'no-store',
      'same-origin',
    ]);
    const policy = headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});
