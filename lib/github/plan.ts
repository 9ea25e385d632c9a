import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Prints the changes of a change set, for the reviewer of a deployment. The job that runs this has an
 * identity, so it uses modules of Node alone.
 *
 *     node lib/github/plan.ts changed DEPLOYED.json TEMPLATE.json
 *     node lib/github/plan.ts summary CHANGE_SET.json DEPLOYED.json TEMPLATE.json DEPLOYED_DIR CDK_OUT
 *     node lib/github/plan.ts executable CHANGE_SET.json
 */

interface Template {
  readonly Resources?: Readonly<
    Record<
      string,
      { readonly Type: string; readonly Properties?: { readonly FunctionName?: string; readonly Code?: { readonly S3Key?: string } } }
    >
  >;
}

interface ChangeSet {
  readonly ChangeSetId: string;
  readonly Status: string;
  readonly StatusReason?: string;
  readonly ExecutionStatus: string;
  readonly Changes?: readonly {
    readonly ResourceChange?: {
      readonly Action: string;
      readonly LogicalResourceId: string;
      readonly ResourceType: string;
      readonly Replacement?: string;
      readonly PolicyAction?: string;
    };
  }[];
}

/** Returns the template in a file; an empty one for a stack that was not deployed yet. */
const templateIn = (file: string): Template => {
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? {} : (JSON.parse(text) ?? {});
};
const changeSetIn = (file: string): ChangeSet => JSON.parse(readFileSync(file, 'utf8'));

/** Key of each function's code in the bootstrap's bucket, by the function's name. */
const keysOf = ({ Resources = {} }: Template): ReadonlyMap<string, string> =>
  new Map(
    Object.values(Resources).flatMap(({ Type, Properties: { FunctionName, Code } = {} }) =>
      Type === 'AWS::Lambda::Function' && FunctionName && Code?.S3Key ? [[FunctionName, Code.S3Key]] : [],
    ),
  );

/** The functions with changed code, with the keys of the deployed code, if any, and of the new code. */
const changedCode = (deployed: Template, next: Template) => {
  const before = keysOf(deployed);
  return [...keysOf(next)].flatMap(([name, key]) => (before.get(name) === key ? [] : [{ name, before: before.get(name), after: key }]));
};

/** The text of every file of a bundle; undefined without the folder. */
const bundleIn = (folder: string): string | undefined =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))
        .sort()
        .join('\n')
    : undefined;

/**
 * The literals of a bundle. They keep their spelling when the code is minified: addresses, names of
 * variables, commands, messages.
 */
const textsOf = (bundle: string): ReadonlySet<string> =>
  new Set(bundle.match(/"(?:[^"\\\n]|\\.){4,}"|'(?:[^'\\\n]|\\.){4,}'|`(?:[^`\\]|\\.){4,}`/g));

const shown = 40;
const shortened = (text: string): string => (text.length > 160 ? `${text.slice(0, 160)}…` : text).replaceAll('\n', '⏎');

const listOf = (sign: string, texts: readonly string[]): string[] => [
  ...texts.slice(0, shown).map((text) => `${sign} ${shortened(text)}`),
  ...(texts.length > shown ? [`${sign} and ${texts.length - shown} more`] : []),
];

const digest = (bundle: string): string => createHash('sha256').update(bundle).digest('hex').slice(0, 12);

/** Returns the difference of two bundles, in lines. */
const difference = (before: string | undefined, after: string): string[] => {
  const size = (bundle: string) => `${Buffer.byteLength(bundle)} bytes, sha256 ${digest(bundle)}`;
  if (before === undefined) return [`  ${size(after)}; no deployed code to compare with`];
  const [old, now] = [textsOf(before), textsOf(after)];
  return [
    `  ${size(before)}`,
    `→ ${size(after)}`,
    ...listOf(
      '-',
      [...old].filter((text) => !now.has(text)),
    ),
    ...listOf(
      '+',
      [...now].filter((text) => !old.has(text)),
    ),
  ];
};

const folderOf = (key: string): string => key.replace(/\.zip$/, '');

const codeSection = (deployed: Template, next: Template, deployedDirectory: string, assembly: string): string[] =>
  changedCode(deployed, next).flatMap(({ name, before, after }) => {
    const old = before === undefined ? undefined : bundleIn(`${deployedDirectory}/${folderOf(before)}`);
    const bundle = bundleIn(`${assembly}/asset.${folderOf(after)}`);
    if (bundle === undefined) throw new Error(`The assembly has no bundle for ${name}.`);
    return [`### ${name}`, '', '```diff', ...difference(old, bundle), '```', ''];
  });

const isEmpty = ({ Status, StatusReason = '' }: ChangeSet): boolean =>
  Status === 'FAILED' && /^(The submitted information didn't contain changes|No updates are to be performed)/.test(StatusReason);

/** Markdown for the summary of the run: every change of a resource, then what changes in the code. */
const summary = (changeSet: ChangeSet, code: readonly string[]): string => {
  if (isEmpty(changeSet)) return '## The stack stays as it is\n';
  const rows = (changeSet.Changes ?? []).flatMap(({ ResourceChange: change }) =>
    change
      ? [
          `| ${change.Action} | ${change.Replacement ?? ''} ${change.PolicyAction ?? ''} | ${change.LogicalResourceId} | ${change.ResourceType} |`,
        ]
      : [],
  );
  return [
    `## ${rows.length} resources change`,
    '',
    `Change set \`${changeSet.ChangeSetId}\``,
    '',
    '| Action | Replacement | Resource | Type |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Code that changes: texts that appear and disappear in each bundle',
    '',
    ...code,
  ].join('\n');
};

/** An output of the job: the change set to execute, or nothing. Throws if it is neither. */
const executable = (changeSet: ChangeSet): string => {
  if (changeSet.ExecutionStatus === 'AVAILABLE') return `change-set=${changeSet.ChangeSetId}`;
  if (isEmpty(changeSet)) return 'change-set=';
  throw new Error(`The change set cannot be executed: ${changeSet.Status} ${changeSet.StatusReason ?? ''}`);
};

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const [command, ...files] = process.argv.slice(2);
const [first = '', second = '', third = '', fourth = '', fifth = ''] = files;
switch (command) {
  case 'changed':
    for (const { before } of changedCode(templateIn(first), templateIn(second))) if (before !== undefined) print(before);
    break;
  case 'summary':
    print(summary(changeSetIn(first), codeSection(templateIn(second), templateIn(third), fourth, fifth)));
    break;
  case 'executable':
    print(executable(changeSetIn(first)));
    break;
  default:
    throw new Error('Name one of changed, summary and executable.');
}
