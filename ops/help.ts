import { readFileSync } from 'node:fs';
import { invalidValue } from '../shared/core/errors.ts';
import { readOptions, type UnknownOption } from './arguments.ts';
import type { DescribedAction, DescribedActions, Names } from './describe.ts';
import { command, emphasized, type VisibleTerminal } from './terminal.ts';

const commands = {
  listen: 'Show and forward the events of an account as they happen',
  trigger: 'Make the writes that emit an event',
  resend: 'Deliver an event again',
  tail: 'Follow the API requests of an account',
  check: 'Prove that a stack works',
  prepare: 'Prepare a restored table for its stack',
  repeat: 'Repeat erasures and revocations that a restore has undone',
  completion: 'Print the completion script for bash, zsh or fish',
} as const;

const options = `Options:
  --region R        us, au or eu
  --account ID      account (a local service: for reads the first demo account)
  --json JSON       input; @FILE reads a file, - reads standard input
  --port N          port of the local service (default 4000)
  --stack [NAME]    deployed stack (default BakeryCommerce-<region>)
  --output json     JSON on a terminal too
  --token T         repeats a call whose response was lost; it is done once
  --version         version of the command`;

const indented = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
};

/**
 * Reads the file that `npm run tables` writes. Loading the actions themselves would take five times
 * as long.
 */
export const readActions = (): DescribedActions =>
  JSON.parse(readFileSync(new URL('actions.json', import.meta.url), 'utf8')) as DescribedActions;

const actionsOf = (noun: string, actions: readonly DescribedAction[]): readonly DescribedAction[] =>
  actions.filter(({ name }) => name.startsWith(`${noun}.`));

const nounWidth = 14;

const verbsOf = (noun: string, actions: readonly DescribedAction[]): string =>
  actionsOf(noun, actions)
    .map(({ name }) => name.slice(noun.length + 1))
    .join(', ');

const overview = (of: DescribedActions): string => `Runs dashboard actions on the local service or on a deployed stack. Usage:
  ${command} <noun>.<verb> [--region R] [--account ID] [--json JSON]
  ${command} <command> [options]

Commands:
${indented(Object.entries(commands))}

Actions, as <noun>.<verb>:
${Object.keys(of.nouns)
  .map((noun) => wrap(verbsOf(noun, of.actions), ' '.repeat(nounWidth)).replace(/^ +/, `  ${noun.padEnd(nounWidth - 2)}`))
  .join('\n')}

${options}

<noun> --help explains its verbs, <noun>.<verb> --help shows its input.
`;

/** Wraps text at 80 characters. Each line begins with the indent. */
export const wrap = (text: string, indent: string): string => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= 80) lines[lines.length - 1] = longer;
    else lines.push(indent + word);
  }
  return lines.join('\n');
};

const accountOption = { required: ' --account ID', self: ' --account ID', none: '' } as const;

const callOf = ({ name, account, example }: DescribedAction): string => {
  const input = Object.keys(example).length > 0 ? ` \\\n    --json '${JSON.stringify(example)}'` : '';
  return `  ${command} ${name} --region us${accountOption[account]}${input}`;
};

const aboutAction = (action: DescribedAction): string => {
  const { summary, fields } = action;
  const described = fields.map(({ name, isOptional, type, meaning }) => {
    const title = `  ${name}${isOptional ? '' : ' (required)'}`;
    const beside = `${title}  ${type}`;
    return `${beside.length <= 80 ? beside : `${title}\n${wrap(type, '      ')}`}\n${wrap(meaning, '      ')}`;
  });
  const input = described.length > 0 ? `\nInput:\n${described.join('\n')}\n` : '';
  return `${wrap(summary, '')}\n\nUsage:\n${callOf(action)}\n${input}\n${command} --help lists the options.\n`;
};

const aboutNoun = (noun: string, { nouns, actions }: DescribedActions): string => {
  const verbs = actionsOf(noun, actions);
  const rows = verbs.map(({ name, summary }) => `  ${name}\n${wrap(summary, '      ')}`);
  return `${nouns[noun]}.\n\n${rows.join('\n')}\n\n${command} ${verbs[0]?.name} --help shows the input of an action.\n`;
};

/** Returns every action with its input, for pipes such as `bakery-ops --help | grep refund`. */
const everything = ({ actions }: DescribedActions): string =>
  `\nActions and their inputs:\n\n${actions
    .map(({ name, summary, fields }) => {
      const input = fields.map((field) => `${field.name}${field.isOptional ? '?' : ''}: ${field.type}`).join(', ');
      return `  ${name}\n${wrap(summary, '      ')}${input && `\n${wrap(input, '        ')}`}`;
    })
    .join('\n\n')}\n`;

/** Returns a question that suggests the known name nearest to a mistyped one, or `otherwise`. */
export const suggestion = async (name: string, known: readonly string[], otherwise: string): Promise<string> => {
  if (known.length === 0) return otherwise;
  // `npm ci --omit=dev` leaves the package out.
  const names = await import('fastest-levenshtein').catch(() => undefined);
  if (!names) return otherwise;
  const { closest, distance } = names;
  const near = closest(name, known);
  return distance(name, near) <= Math.max(2, Math.floor(name.length / 3)) ? `Did you mean ${near}?` : otherwise;
};

/** Returns the error of an unknown option with the nearest one that the command has. */
export const withSuggestion = async ({ message, option, known }: UnknownOption, called: string): Promise<Error> => {
  const list = `${command}${Object.hasOwn(commands, called) ? ` ${called}` : ''} --help lists the options.`;
  return invalidValue(option, `${message} ${(await suggestion(option, known, list)).replace('mean ', 'mean --')}`);
};

/** Returns an error with the nearest action's name; undefined if the name is an action. */
export const unknownAction = async (name: string): Promise<Error | undefined> => {
  const { nouns, actions } = readActions();
  if (actions.some((one) => one.name === name)) return undefined;
  if (Object.hasOwn(commands, name)) return invalidValue('action', `Write the command before its options: ${command} ${name}.`);
  const verbs = actionsOf(name, actions).map((one) => one.name);
  if (verbs.length > 0) return invalidValue('action', `Name a verb: ${verbs.join(', ')}.`);
  const known = [...Object.keys(commands), ...actions.map((one) => one.name), ...Object.keys(nouns)];
  const [kind, list] = name.includes('.') ? ['an action', 'the actions'] : ['a command', 'the commands and actions'];
  return invalidValue('action', `"${name}" is not ${kind}. ${await suggestion(name, known, `${command} --help lists ${list}.`)}`);
};

interface UnknownField {
  readonly path: readonly string[];
  readonly known: readonly string[];
}

/** Returns the first field of a value that the names do not list. */
export const unknownFieldIn = (names: Names | null, value: unknown, path: readonly string[] = []): UnknownField | undefined => {
  if (names === null || typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name];
    if (!Array.isArray(value) && !Object.hasOwn(names, name)) return { path: here, known: Object.keys(names) };
    const found = unknownFieldIn(Array.isArray(value) ? names : (names[name] ?? null), inner, here);
    if (found) return found;
  }
  return undefined;
};

/** Returns an error with the nearest field's name, if the input has a field that the help does not list. */
export const unknownField = async (action: string, input: unknown): Promise<Error | undefined> => {
  const unknown = unknownFieldIn(readActions().actions.find(({ name }) => name === action)?.names ?? null, input);
  if (unknown === undefined) return undefined;
  const { path, known } = unknown;
  const field = path.join('.');
  return invalidValue(
    field,
    `${field} is not a field of ${action}. ${await suggestion(path.at(-1) ?? '', known, `${command} ${action} --help lists the fields.`)}`,
  );
};

/**
 * Returns the overview, or the help of a noun or an action. `isWhole` adds every action to the
 * overview.
 */
export const help = async (name: string | undefined, isWhole: boolean): Promise<string> => {
  const described = readActions();
  if (name === undefined) return overview(described) + (isWhole ? everything(described) : '');
  const action = described.actions.find((one) => one.name === name);
  if (action) return aboutAction(action);
  if (Object.hasOwn(described.nouns, name)) return aboutNoun(name, described);
  throw await unknownAction(name);
};

/** Names that completion offers. */
export const completed = (): readonly string[] => [...Object.keys(commands), ...readActions().actions.map(({ name }) => name)];

const completedOptions = '--region --account --json --port --stack --output --token --help';

const bash = (names: readonly string[]): string => `_bakery_ops() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$before" in
    --region) COMPREPLY=($(compgen -W 'us au eu' -- "$word")); return;;
    --output) COMPREPLY=($(compgen -W 'json' -- "$word")); return;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word"))
  else COMPREPLY=($(compgen -W '${completedOptions}' -- "$word")); fi
}
complete -F _bakery_ops bakery-ops
`;

const zsh = (names: readonly string[]): string => `#compdef bakery-ops
_bakery_ops() {
  if (( CURRENT == 2 )); then compadd -- ${names.join(' ')}
  elif [[ $words[CURRENT-1] == --region ]]; then compadd -- us au eu
  elif [[ $words[CURRENT-1] == --output ]]; then compadd -- json
  else compadd -- ${completedOptions}; fi
}
compdef _bakery_ops bakery-ops
`;

const fish = (): string => {
  const offer = (what: string) => `complete -c bakery-ops ${what}\n`;
  const named = [...Object.entries(commands), ...readActions().actions.map(({ name, summary }) => [name, summary] as const)];
  const quoted = (text: string) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
  const values: Readonly<Record<string, string>> = { region: "-x -a 'us au eu'", output: '-x -a json', help: '', stack: '' };
  return [
    offer('-f'),
    ...named.map(([name, summary]) => offer(`-n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`)),
    ...completedOptions
      .split(' --')
      .map((option) => option.replace('--', ''))
      .map((option) => offer(`-n 'not __fish_use_subcommand' -l ${option} ${values[option] ?? '-x'}`.trimEnd())),
  ].join('');
};

const completionHelp = `Prints a script that completes commands, actions and options after Tab.

Usage:
  source <(bakery-ops completion bash)
  source <(bakery-ops completion zsh)
  bakery-ops completion fish | source
`;

/** Prints the completion script of a shell. Throws `invalid_value`. */
export const printCompletion = (args: readonly string[], terminal: VisibleTerminal): void => {
  const { help: isHelp, positionals } = readOptions('completion', args, {});
  const shell = positionals.length === 1 ? positionals[0] : undefined;
  if (isHelp) terminal.painted.stdout(emphasized(completionHelp, terminal));
  else if (shell === 'bash') terminal.stdout(bash(completed()));
  else if (shell === 'zsh') terminal.stdout(zsh(completed()));
  else if (shell === 'fish') terminal.stdout(fish());
  else throw invalidValue('shell', 'Name the shell: completion bash, completion zsh or completion fish.');
};
