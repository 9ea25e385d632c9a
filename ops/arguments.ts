import { readFile } from 'node:fs/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { isRegion, type Region, regions } from '../shared/core/regions.ts';
import { reasonOf } from './answer.ts';

/** Who is asked: the service that runs on this machine, or a deployed stack by its name. */
export type Target = { readonly port: number } | { readonly stack: string };

/** Whose bakery a command is about, as its options say. */
export type AccountChoice =
  /** Of the local service; absent is the demo account of the first region. */
  | { readonly port: number; readonly region: Region | undefined; readonly account: string | undefined }
  | { readonly stack: string; readonly region: Region; readonly account: string };

/** One call of the operator's command. */
export interface OpsCall {
  readonly action: string;
  readonly region: Region;
  readonly account: string | undefined;
  /** JSON, `@FILE` or `-`; absent is no input. */
  readonly json: string | undefined;
  /** Of an earlier try of the same call; a new one is made where it is absent. */
  readonly token: string | undefined;
  readonly target: Target;
}

const defaultPort = 4000;

/** `--stack` alone is the stack of the usual name. */
const withBareStack = (args: readonly string[]): string[] =>
  args.map((arg, i) => (arg === '--stack' && (args[i + 1]?.startsWith('--') ?? true) ? '--stack=' : arg));

const common = {
  region: { type: 'string' },
  account: { type: 'string' },
  port: { type: 'string' },
  stack: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const readFlags = <Own extends ParseArgsOptionsConfig>(args: readonly string[], own: Own) => {
  try {
    return parseArgs({ args: withBareStack(args), allowPositionals: true, options: { ...common, ...own } });
  } catch (error) {
    throw new ApiError('invalid_value', reasonOf(error));
  }
};

const regionOf = (text: string | undefined): Region => {
  if (!isRegion(text)) throw invalidValue('region', `--region must be one of ${regions.join(', ')}.`);
  return text;
};

/** The local service's port; throws where it is none. */
const portOf = (port: string | undefined): number => {
  const number = Number(port ?? defaultPort);
  if (!/^\d+$/.test(port ?? '0') || number > 65_535) throw invalidValue('port', '--port must be a port number.');
  return number;
};

const targetOf = (port: string | undefined, stack: string | undefined, region: Region): Target => {
  if (stack === undefined) return { port: portOf(port) };
  if (port !== undefined) throw invalidValue('port', '--port is for the local service and --stack for a deployed one; give one of them.');
  return { stack: stack === '' ? `BakeryCommerce-${region}` : stack };
};

/** The call that the arguments ask for, or for which action help is wanted; throws `invalid_value` for anything else. */
export const parseCall = (args: readonly string[]): OpsCall | { readonly help: string | undefined } => {
  const { values, positionals } = readFlags(args, { json: { type: 'string' }, token: { type: 'string' } });
  const [action, ...more] = positionals;
  if (values.help) return { help: action };
  if (action === undefined) throw invalidValue('action', 'Name an action, noun.verb; --help lists them.');
  if (more.length > 0) throw invalidValue('action', `One action at a time; "${more[0]}" is too much. Input goes after --json.`);
  if (!action.includes('.')) throw invalidValue('action', `"${action}" is no action, noun.verb; --help lists them.`);
  const { account, json, token } = values;
  const region = regionOf(values.region);
  return {
    action,
    region,
    target: targetOf(values.port, values.stack, region),
    account,
    json,
    token,
  };
};

const readSource = async (source: string, stdin: AsyncIterable<string | Uint8Array>): Promise<string> => {
  if (source === '-') return (await import('node:stream/consumers')).text(stdin);
  if (!source.startsWith('@')) return source;
  try {
    return await readFile(source.slice(1), 'utf8');
  } catch (error) {
    throw invalidValue('json', `--json: ${reasonOf(error)}`);
  }
};

/** The value behind `--json`; throws `invalid_json` where it is none. */
export const readInput = async (source: string | undefined, stdin: AsyncIterable<string | Uint8Array>): Promise<unknown> => {
  if (source === undefined) return undefined;
  const text = await readSource(source, stdin);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ApiError('invalid_json', `--json is not JSON: ${reasonOf(error)}`);
  }
};

interface CommonValues {
  readonly region?: string;
  readonly account?: string;
  readonly port?: string;
  readonly stack?: string;
  readonly help?: boolean;
}

const choiceOf = ({ region: named, account, port, stack }: CommonValues): AccountChoice => {
  const region = named === undefined ? undefined : regionOf(named);
  if (stack === undefined) return { port: portOf(port), region, account };
  if (region === undefined) throw invalidValue('region', 'A deployed stack is asked with its --region.');
  if (account === undefined) throw invalidValue('account', 'A deployed stack has no demo account; name one with --account.');
  return { ...targetOf(port, stack, region), region, account };
};

/** Where a command works that opens an account of its own. */
export interface PlaceChoice {
  readonly target: Target;
  /** Absent: the first region of the local service. */
  readonly region: Region | undefined;
}

/** A stack of the usual name ends with its region. */
const placeChoiceOf = ({ region, account, port, stack }: CommonValues): PlaceChoice => {
  if (account !== undefined) throw invalidValue('account', 'The command opens an account of its own; leave --account out.');
  const named = region ?? /-([a-z]+)$/.exec(stack ?? '')?.[1];
  if (region === undefined && stack === undefined) return { target: { port: portOf(port) }, region: undefined };
  const found = regionOf(named);
  return { target: targetOf(port, stack, found), region: found };
};

/** The arguments of a command: its own options, and those that choose an account; throws `invalid_value`. */
export const readOptions = <Own extends ParseArgsOptionsConfig>(command: string, args: readonly string[], own: Own) => {
  const { values, positionals } = readFlags(args, own);
  const chosen = values as CommonValues;
  return {
    help: chosen.help === true,
    values,
    positionals,
    choice: () => choiceOf(chosen),
    placeChoice: () => placeChoiceOf(chosen),
    /** Of a command that works beside the service. */
    localChoice() {
      if (chosen.stack !== undefined) throw invalidValue('stack', `${command} is for the local service, never for a deployed stack.`);
      return choiceOf(chosen);
    },
  };
};
