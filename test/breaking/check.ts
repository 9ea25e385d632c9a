import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { run } from '../deploy/children.ts';

/** The document of the last release; until there is one, of the first. Replace it with each release. */
const released = resolve('test/breaking/released.json');
const present = resolve('docs/openapi.json');

interface Finding {
  readonly id: string;
  readonly text: string;
  readonly level: number;
  readonly operation?: string;
  readonly path?: string;
}

interface Schema {
  readonly properties: Record<string, unknown>;
  required?: string[];
  enum: string[];
}
interface Document {
  readonly paths: Record<string, unknown>;
  webhooks?: Readonly<Record<string, { readonly post: { readonly requestBody: { readonly content: unknown } } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/**
 * `oasdiff` takes the body of a webhook for a request, from which fields may disappear. Receivers
 * read it like a response, so it is compared as one.
 */
const withEventsAsResponses = ({ webhooks = {}, ...document }: Document): Document => {
  const events = Object.entries(webhooks).map(([type, { post }]) => [
    `/events/${type}`,
    { get: { responses: { 200: { description: type, content: post.requestBody.content } } } },
  ]);
  return { ...document, paths: { ...document.paths, ...Object.fromEntries(events) } };
};

const read = async (file: string): Promise<Document> => JSON.parse(await readFile(file, 'utf8'));

/** Compares two documents with the `oasdiff` of this folder's `go.mod` and `go.sum`. */
const compare = async (go: string, folder: string, base: Document, revision: Document): Promise<readonly Finding[]> => {
  const files = [join(folder, 'base.json'), join(folder, 'revision.json')];
  for (const [i, document] of [base, revision].entries()) await writeFile(files[i] ?? '', JSON.stringify(withEventsAsResponses(document)));
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };
  const args = ['tool', 'oasdiff', 'changelog', '--format', 'json', ...files];
  const { code, stdout, output } = await run(go, args, { cwd: 'test/breaking', env });
  if (code !== 0) throw new Error(`oasdiff failed:\n${output}`);
  const findings: unknown = stdout.trim() === '' ? [] : JSON.parse(stdout);
  if (!Array.isArray(findings)) throw new Error(`oasdiff printed ${stdout.slice(0, 200)}`);
  return findings;
};

/** Findings that say that a response may have new values, which breaks no client (§ Versioning). */
const allowsValues = (id: string): boolean => id.endsWith('enum-value-added') || id === 'response-property-became-not-enum';

/**
 * Level 3 breaks clients. What is removed breaks them too, even if it was optional. A schema without
 * a reader is no more than a name: a removed field or value has a finding of its own.
 */
const isBreak = ({ id, level }: Finding): boolean =>
  (level === 3 && !allowsValues(id)) || (id.includes('removed') && id !== 'api-schema-removed');

/** Matches a pattern that a field of a request has lost, and the lengths that it has in its place. */
const lostPattern = /removed the pattern .* from the request property `([^`]+)`/;
const newLength = /the `([^`]+)` request property's (?:min|max)Length was set/;

/** Returns the breaks. A field of a request that takes more than its former pattern breaks nobody. */
const breaksIn = (findings: readonly Finding[]): readonly Finding[] => {
  const fieldOf = (pattern: RegExp, { text, operation, path }: Finding): string => `${operation} ${path} ${pattern.exec(text)?.[1]}`;
  const widened = new Set(findings.filter(({ text }) => lostPattern.test(text)).map((one) => fieldOf(lostPattern, one)));
  return findings.filter(
    (one) => isBreak(one) && !lostPattern.test(one.text) && !(newLength.test(one.text) && widened.has(fieldOf(newLength, one))),
  );
};

const eventOf = ({ path = '' }: Finding): string | undefined => /^\/events\/(.+)$/.exec(path)?.[1];

const sentence = (finding: Finding): string => {
  const { text, operation = '', path = '' } = finding;
  const event = eventOf(finding);
  return event
    ? `Event ${event}: ${text.replace(/^endpoint | (to|from) the response with the `200` status/, '')}`
    : `${operation} ${path}: ${text}`.trim();
};

/** The integrators' page, which names every addition. */
export const whatChanged = 'docs/guides/what-changed.md';
export const nextVersion = '## Next version\n';

/** The part of the page about the next version. */
const partOfNext = (page: string): string => (page.split(nextVersion)[1] ?? '').split(/^## /m)[0] ?? '';

/**
 * Returns a sentence for each addition to the released document that the next version of the page
 * does not name as code: one per name.
 */
export const undocumentedAdditions = async (go: string, folder: string, page: string): Promise<readonly string[]> => {
  let documented = partOfNext(page);
  const undocumented: string[] = [];
  for (const finding of await compare(go, folder, await read(released), await read(present))) {
    if (isBreak(finding) || finding.path === undefined) continue;
    const name = /`(?:[^`]*\/)?([^`/]+)`/.exec(finding.text)?.[1] ?? eventOf(finding) ?? `${finding.operation} ${finding.path}`;
    if (documented.includes(`${name}\``) || documented.includes(`${name}:`)) continue;
    undocumented.push(sentence(finding));
    documented += `\`${name}\``;
  }
  return undocumented;
};

const without = (schema: Schema | undefined, name: string): void => {
  if (schema?.properties[name] === undefined) throw new Error(`There is no field ${name}.`);
  delete schema.properties[name];
  schema.required = (schema.required ?? []).filter((other) => other !== name);
};

const withoutValue = (schema: Schema | undefined, value: string): void => {
  if (!schema?.enum.includes(value)) throw new Error(`There is no value ${value}.`);
  schema.enum = schema.enum.filter((other) => other !== value);
};

/** Changes of the document that break clients, and the name that the finding has. */
const breaks: Readonly<Record<string, readonly [name: string, change: (document: Document) => void]>> = {
  'a removed field of a response': ['amount', ({ components }) => without(components.schemas['Expense'], 'amount')],
  'a removed optional field of a response': ['line_items', ({ components }) => without(components.schemas['Expense'], 'line_items')],
  'a removed field of an event': ['total', ({ components }) => without(components.schemas['OrderEventObject'], 'total')],
  'a new required field of a request': [
    'description',
    ({ components }) => components.schemas['ExpenseInput']?.required?.push('description'),
  ],
  'a narrowed enum of a request': ['inventory.low', ({ components }) => withoutValue(components.schemas['EventType'], 'inventory.low')],
  'a narrowed enum of a response': ['failed', ({ components }) => withoutValue(components.schemas['DeliveryStatus'], 'failed')],
};

/** The present document against the released one, and breaks that must be found. */
export const checkContract = async (check: Check, go: string, folder: string): Promise<void> => {
  await check('breaks nothing of the released document', async () => {
    const found = breaksIn(await compare(go, folder, await read(released), await read(present)));
    if (found.length > 0) throw new Error(`docs/openapi.json breaks clients of the last release:\n${found.map(sentence).join('\n')}`);
  });
  await check('says in What changed what it adds to the released document', async () => {
    const undocumented = await undocumentedAdditions(go, folder, await readFile(whatChanged, 'utf8'));
    if (undocumented.length > 0)
      throw new Error(`${whatChanged} does not name these; \`npm run changes\` writes them:\n${undocumented.join('\n')}`);
  });
  for (const [statement, [name, change]] of Object.entries(breaks))
    await check(`finds ${statement}`, async () => {
      const broken = await read(present);
      change(broken);
      const found = (await compare(go, folder, await read(present), broken)).filter(isBreak);
      if (!found.some(({ text }) => text.includes(name))) throw new Error(`oasdiff does not find ${statement}: ${found.map(sentence)}`);
    });
};
