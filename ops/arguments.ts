import { readFile } from 'node:fs/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { isRegion, type Region, regions } from '../shared/core/config.ts';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { reasonOf } from './response.ts';

/** An option that the command does not have. */
export class UnknownOption extends ApiError {
  readonly option: string;
  readonly known: readonly string[];

  constructor(option: string, known: readonly string[]) {
    super('invalid_value', `--${option} is not an option.`, { field: option });
    this.option = option;
    this.known = known;
  }
}

/** The local service by its port, or a deployed stack by its name. */
export type Target = { readonly port: number } | { readonly stack: string };

/** The account of a command, from its options. */
export type AccountChoice =
  /** On the local service. Without an account: the demo account of the first region. */
  | { readonly port: number; readonly region: Region | undefined; readonly account: string | undefined }
  | { readonly stack: string; readonly region: Region; readonly account: string };

const defaultPort = 4000;

/** Help of the options that choose an account of the local service. */
export const accountOptions = `  --region R       us, au or eu (default: the first that runs)
  --account ID     account (default: the demo account of the region)
  --port N         port of the local service (default 4000)`;

/** Adds the default name to `--stack` without a name. */
const withBareStack = (args: readonly string[]): string[] =>
  args.map((arg, i) => (arg === '--stack' && (args[i + 1]?.startsWith('--') ?? true) ? '--stack=' : arg));

const common = {
  region: { type: 'string' },
  account: { type: 'string' },
  port: { type: 'string' },
  stack: { type: 'string' },
  output: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const readFlags = <const Own extends ParseArgsOptionsConfig>(args: readonly string[], own: Own) => {
  try {
    return parseArgs({ args: withBareStack(args), allowPositionals: true, options: { ...common, ...own } });
  } catch (error) {
    const reason = reasonOf(error);
    const [, unknown] = /Unknown option '-{1,2}([^']+)'/.exec(reason) ?? [];
    if (unknown !== undefined) throw new UnknownOption(unknown, Object.keys({ ...common, ...own }));
    const [, option = ''] = /Option '(?:-\w, )?--([\w-]+)/.exec(reason) ?? [];
    throw invalidValue(option, `--${option} ${reason.includes('does not take') ? 'takes no value' : 'needs a value'}.`);
  }
};

const listedRegions = 'us, au or eu';

const regionOf = (text: string | undefined): Region => {
  if (text === undefined) throw invalidValue('region', `Name the --region: ${listedRegions}.`);
  if (!isRegion(text)) throw invalidValue('region', `--region must be one of ${regions.join(', ')}.`);
  return text;
};

const namedRegion = (text: string | undefined): Region | undefined => (text === undefined ? undefined : regionOf(text));

/** Returns the port of the local service. Throws `invalid_value`. */
const portOf = (port: string | undefined): number => {
  const number = Number(port ?? defaultPort);
  if (!/^\d+$/.test(port ?? '0') || number > 65_535) throw invalidValue('port', '--port must be a number from 0 to 65535.');
  return number;
};

/** Returns an id that an option or argument gives. Throws `invalid_value` if its form is wrong. */
export const idOf = (field: string, prefix: 'acct_' | 'evt_' | 'whe_', text: string): string => {
  if (!new RegExp(`^${prefix}\\w+$`).test(text))
    throw invalidValue(field, `"${text}" is not the id of an ${field}. Its form is ${prefix}….`);
  return text;
};

const accountOf = (text: string | undefined): string | undefined => (text === undefined ? undefined : idOf('account', 'acct_', text));

/** The error of a call on a deployed stack without its region. */
export const missingRegion = (): ApiError => invalidValue('region', `Name the --region of the stack: ${listedRegions}.`);

const targetOf = (port: string | undefined, stack: string | undefined, region: Region | undefined): Target => {
  if (stack === undefined) return { port: portOf(port) };
  if (port !== undefined) throw invalidValue('port', 'Give --port for the local service or --stack for a deployed one, not both.');
  if (region === undefined) throw missingRegion();
  return { stack: stack === '' ? `BakeryCommerce-${region}` : stack };
};

const assertOutput = (output: string | undefined): void => {
  if (output !== undefined && output !== 'json') throw invalidValue('output', '--output must be json.');
};

/**
 * Returns the call that the arguments ask for, or the name to print help for. Throws
 * `invalid_value`.
 */
export const parseCall = (args: readonly string[]) => {
  const { values, positionals } = readFlags(args, { json: { type: 'string' }, token: { type: 'string' } });
  const [action, ...more] = positionals;
  if (values.help) return { help: action };
  if (action === undefined) throw invalidValue('action', 'Name an action; --help lists them.');
  if (more.length > 0) throw invalidValue('action', `Name one action; "${more[0]}" is a second one. Pass input with --json.`);
  assertOutput(values.output);
  const { json, token } = values;
  const account = accountOf(values.account);
  const region = namedRegion(values.region);
  const target = targetOf(values.port, values.stack, region);
  return { action, region, target, account, json, token };
};

/**
 * One action that the command runs. `json` is JSON, `@FILE` or `-`, and undefined without an input.
 * `token` is that of an earlier try of the same call; if undefined, a new one is made.
 */
export type OpsCall = Exclude<ReturnType<typeof parseCall>, { readonly help: unknown }>;

/** Returns the text of a file or input: UTF-16 with a byte order mark, otherwise UTF-8. */
const decode = (bytes: Uint8Array): string => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
};

const readBytes = async (stdin: AsyncIterable<string | Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
};

const readSource = async (source: string, stdin: AsyncIterable<string | Uint8Array>): Promise<string> => {
  if (source === '-') return decode(await readBytes(stdin));
  if (!source.startsWith('@')) return source.replace(/^\uFEFF/, '');
  try {
    return decode(await readFile(source.slice(1)));
  } catch (error) {
    throw invalidValue('json', `--json: ${reasonOf(error)}`);
  }
};

/** Returns the input that `--json` gives. Throws `invalid_json`. */
export const readInput = async (source: string | undefined, stdin: AsyncIterable<string | Uint8Array>): Promise<unknown> => {
  if (source === undefined) return undefined;
  const text = await readSource(source, stdin);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('invalid_json', `--json is not JSON: ${reasonOf(error)}`);
  }
};

/** Says where to find the values of `--region` and `--account` for the local service. */
export const whereToFind = {
  region: 'npm start prints the regions that run',
  account: 'npm start prints the regions with their demo accounts, and account.create the id of a new one',
} as const;

/** The error of a call on a deployed stack, which has no demo account. */
export const missingAccount = (): ApiError =>
  invalidValue(
    'account',
    'A deployed stack has no demo account. Name one with --account: account.create printed its id, and the log line of each of its requests has it.',
  );

type CommonValues = ReturnType<typeof parseArgs<{ options: typeof common }>>['values'];

const choiceOf = ({ region: named, account: id, port, stack }: CommonValues): AccountChoice => {
  const account = accountOf(id);
  const region = namedRegion(named);
  const target = targetOf(port, stack, region);
  if ('port' in target) return { ...target, region, account };
  if (region === undefined || account === undefined) throw missingAccount();
  return { ...target, region, account };
};

/** The service on which a command creates an account. */
export interface ServiceChoice {
  readonly target: Target;
  /** Undefined means the first region of the local service. */
  readonly region: Region | undefined;
}

/** Returns the service that the options name. The default name of a stack ends with its region. */
const serviceChoiceOf = ({ region, account, port, stack }: CommonValues): ServiceChoice => {
  if (account !== undefined) throw invalidValue('account', 'The command opens its own account. Leave --account out.');
  const named = region ?? /-([a-z]+)$/.exec(stack ?? '')?.[1];
  if (region === undefined && stack === undefined) return { target: { port: portOf(port) }, region: undefined };
  const found = regionOf(named);
  return { target: targetOf(port, stack, found), region: found };
};

/**
 * Reads the options of a command: its own, and those that choose an account. Throws
 * `invalid_value`.
 */
export const readOptions = <const Own extends ParseArgsOptionsConfig>(command: string, args: readonly string[], own: Own) => {
  const { values, positionals } = readFlags(args, own);
  const chosen = values as CommonValues;
  // Such a command prints until it is stopped, so it has no single result.
  if ('print-json' in own && chosen.output !== undefined)
    throw invalidValue('output', `${command} has no single result. Use --print-json for one line of JSON each.`);
  assertOutput(chosen.output);
  return {
    help: chosen.help === true,
    isJson: chosen.output === 'json',
    values,
    positionals,
    choice: () => choiceOf(chosen),
    serviceChoice: () => serviceChoiceOf(chosen),
    /** Returns the table of a command that works on one, its region and the service. `without` names options that it rejects. */
    tableChoice(...without: readonly ('account' | 'port' | 'stack')[]) {
      const { table } = values as { readonly table?: string };
      for (const name of without)
        if (chosen[name] !== undefined) throw invalidValue(name, `${command} works on a table. Leave --${name} out.`);
      if (positionals[0] !== undefined) throw invalidValue(command, `${command} takes options only, not "${positionals[0]}".`);
      const region = regionOf(chosen.region);
      if (!table) throw invalidValue('table', `${command} needs the name of a table: --table.`);
      return { table, region, target: targetOf(chosen.port, chosen.stack, region) };
    },
    /** Returns the choice of a command that works only with the local service. */
    localChoice() {
      if (chosen.stack !== undefined) throw invalidValue('stack', `${command} works with the local service only.`);
      return choiceOf(chosen);
    },
  };
};
