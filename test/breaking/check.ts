import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { run } from '../deploy/children.ts';

/** The document of the last release; until there is one, of the first. Replace it with each release. */
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
    const added = await compare(go, 'changelog', released, present);
    const page = await readFile('docs/guides/what-changed.md', 'utf8');
    const unsaid = added.filter(({ text }) =>
      (text.match(/[`'"][\w./{}]+[`'"]/g) ?? []).every((name) => !page.includes(name.slice(1, -1))),
    );
    if (unsaid.length > 0) throw new Error(`docs/guides/what-changed.md does not name:\n${unsaid.map(sentence).join('\n')}`);
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
