import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { run } from '../deploy/children.ts';

/**
 * The document of the last release; until there is one, of the first. Replace it with each release.
 */
const released = resolve('test/breaking/released.json');
const present = resolve('docs/openapi.json');

interface Finding {
  readonly text: string;
  readonly operation?: string;
  readonly path?: string;
}

/** Compares two documents with the `oasdiff` of this folder's `go.mod` and `go.sum`. */
const compare = async (go: string, command: 'breaking' | 'changelog', base: string, revision: string): Promise<readonly Finding[]> => {
  const env = { ...process.env, GOFLAGS: '-mod=readonly', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };
  const { code, stdout, output } = await run(go, ['tool', 'oasdiff', command, '--format', 'json', base, revision], {
    cwd: 'test/breaking',
    env,
  });
  if (code !== 0) throw new Error(`oasdiff failed:\n${output}`);
  const findings: unknown = stdout.trim() === '' ? [] : JSON.parse(stdout);
  if (!Array.isArray(findings)) throw new Error(`oasdiff printed ${stdout.slice(0, 200)}`);
  return command === 'breaking' ? findings.filter(({ level }) => level === 3) : findings;
};

const sentence = ({ text, operation = '', path = '' }: Finding): string => `${operation} ${path}: ${text}`.trim();

/** The integrators' page, which names every addition. */
export const whatChanged = 'docs/guides/what-changed.md';

/**
 * Returns a sentence for each addition to the released document that the page does not name: one
 * per name.
 */
export const unsaidAdditions = async (go: string, page: string): Promise<readonly string[]> => {
  let said = page;
  const unsaid: string[] = [];
  for (const finding of await compare(go, 'changelog', released, present)) {
    const names = finding.text.match(/[`'"][\w./{}]+[`'"]/g) ?? [];
    if (names.some((name) => said.includes(name.slice(1, -1)))) continue;
    unsaid.push(sentence(finding));
    said += names.join(' ');
  }
  return unsaid;
};

interface Schema {
  properties: Record<string, unknown>;
  required?: string[];
  enum: string[];
}
type Schemas = Record<'Expense' | 'ExpenseInput' | 'EventType', Schema>;
/** Changes of the document that break clients, by name. */
const breaks: Readonly<Record<string, (schemas: Schemas) => void>> = {
  'a removed field of a response': ({ Expense }) => {
    delete Expense.properties['amount'];
    Expense.required = (Expense.required ?? []).filter((name) => name !== 'amount');
  },
  'a new required field of a request': ({ ExpenseInput }) => {
    ExpenseInput.required = [...(ExpenseInput.required ?? []), 'description'];
  },
  'a narrowed enum of a request': ({ EventType }) => void EventType.enum.pop(),
};

/** The present document against the released one, and three breaks that must be found. */
export const checkContract = async (check: Check, go: string, folder: string): Promise<void> => {
  await check('breaks nothing of the released document', async () => {
    const found = await compare(go, 'breaking', released, present);
    if (found.length > 0) throw new Error(`docs/openapi.json breaks clients of the last release:\n${found.map(sentence).join('\n')}`);
  });
  await check('says in What changed what it adds to the released document', async () => {
    const unsaid = await unsaidAdditions(go, await readFile(whatChanged, 'utf8'));
    if (unsaid.length > 0) throw new Error(`${whatChanged} does not name these; \`npm run changes\` writes them:\n${unsaid.join('\n')}`);
  });
  for (const [name, change] of Object.entries(breaks))
    await check(`finds ${name}`, async () => {
      const document = JSON.parse(await readFile(present, 'utf8'));
      change(document.components.schemas);
      const file = join(folder, 'broken.json');
      await writeFile(file, JSON.stringify(document));
      if ((await compare(go, 'breaking', present, file)).length === 0) throw new Error(`oasdiff does not find ${name}.`);
    });
};
