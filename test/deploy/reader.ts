import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Sample } from '../lib/walk-page.ts';
import { run } from './children.ts';
import type { Emulator } from './emulator.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Commands of the pages that no reader of this lane runs, by their first words, with the reason. */
export const notRun: Readonly<Record<string, string>> = {
  'npm ci': 'The modules are installed.',
  'git pull': 'The lane tests this commit.',
  'npm run --silent ops -- checkout.check': 'It asks Stripe.',
};

/** Keys of the pages that no reader of this lane configures, with the reason. */
export const notConfigured: Readonly<Record<string, string>> = {
  apiDomain: 'Nobody resolves the names of the emulator, and it has no certificates.',
  hostedZoneId: 'It belongs to `apiDomain`.',
  hostedZoneName: 'It belongs to `apiDomain`.',
  'deletionProtection.us': 'eu follows this step, with a key of its own.',
};

const isLeftOut = (key: string): boolean => key in notConfigured || (key.split('.')[0] ?? '') in notConfigured;

/** What a reader types in place of what a page prints. */
const typed: readonly (readonly [printed: string, typed: string])[] = [
  // The ids that the commands before printed.
  ['acct_…', '$(valueOf id acct_)'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the page prints it.
  ['svc_sk_live_${REGION}_…', '$(valueOf key svc_sk_live_)'],
  // Without a domain, the address is an output of the stack.
  [
    'https://$REGION.api.example.com',
    `$(aws cloudformation describe-stacks --stack-name "$STACK" --query "Stacks[0].Outputs[?OutputKey=='ApiUrl'].OutputValue" --output text)`,
  ],
  // There is no terminal to confirm it.
  ['npx cdk destroy "$STACK"', 'npx cdk destroy "$STACK" --force'],
];

const programs = [...new Set(Object.keys(notRun).map((command) => command.split(' ')[0]))];
const patternsOf = (program = '') =>
  Object.keys(notRun)
    .filter((command) => command.split(' ')[0] === program)
    .map((command) => `'${command}'*`)
    .join('|');
const prelude = [
  // valueOf <field> <start>: the last text of a field in what `ops` printed.
  `valueOf() { grep -oE "\\"$1\\": *\\"$2[A-Za-z0-9_-]+" printed | tail -n 1 | cut -d '"' -f 4; }`,
  ...programs.map(
    (program) =>
      `${program}() { case "${program} $*" in ${patternsOf(program)}) echo "Not run: ${program} $*" ;; *) command ${program} "$@" | tee -a printed ;; esac; }`,
  ),
];

/** An operator who follows pages in a checkout of their own. */
export interface Reader {
  readonly folder: string;
  /**
   * Runs a sample, or configures it; resolves with what it printed. Rejects if a command fails. `spell` puts the
   * names of another region in place of those that the page prints.
   */
  follow(sample: Sample, spell?: (text: string) => string): Promise<string>;
}

/**
 * Makes a checkout with its own `cdk.json`, whose app is test/deploy/app.ts. The first configuration writes
 * it, because `cdk bootstrap` would synthesize for minutes beside it. Resolves with its reader, who adds
 * each followed sample to `followed`.
 */
export const startReader = async (emulator: Emulator, name: string, followed: Set<string>): Promise<Reader> => {
  const folder = join(emulator.folder, name);
  await mkdir(folder);
  const own = ['cdk.json', 'cdk.out', '.local', '.git'];
  const files = (await readdir(root)).filter((file) => !own.includes(file));
  await Promise.all(files.map((file) => symlink(join(root, file), join(folder, file))));
  await writeFile(join(folder, 'printed'), '');
  const file = JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8'));
  const settings = { ...file, app: file.app.replace('bin/app.ts', 'test/deploy/app.ts'), requireApproval: 'never' };
  const configure = async (keys: Readonly<Record<string, unknown>>): Promise<string> => {
    const taken = Object.entries(keys).filter(([key]) => !isLeftOut(key));
    Object.assign(settings.context, Object.fromEntries(taken));
    await writeFile(join(folder, 'cdk.json'), JSON.stringify(settings));
    return '';
  };
  const exported: string[] = [];
  return {
    folder,
    async follow({ language, text }, spell = (one) => one) {
      followed.add(text);
      if (language === 'json') return configure(JSON.parse(`{${text}}`));
      const script = typed.reduce((result, [printed, replacement]) => result.replaceAll(printed, replacement), spell(text));
      if (script.startsWith('export ')) exported.push(script);
      const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', [...prelude, ...exported, script].join('\n')], {
        env: { ...emulator.env, CI: 'true', AWS_PAGER: '' },
        cwd: folder,
      });
      if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${output}`);
      return output;
    },
  };
};
