import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApiError } from '../shared/core/errors.ts';
import { missingAccount, type OpsCall, parseCall, readInput, UnknownOption } from './arguments.ts';
import { follow, type Invoke, invoke } from './invoke.ts';
import { failure, type Outcome, reasonOf, ServiceError } from './response.ts';
import type { WatchForStop } from './stop.ts';
import { asCalled, command, emphasized, type Terminal, type VisibleTerminal, visibly } from './terminal.ts';

/** Returns the id in the input of an action on the account itself, which may name the account. */
const idIn = (input: unknown): string | undefined => {
  const id = (input as { readonly id?: unknown } | null | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
};

/** Returns region and account of a call. Only a call that does not name both reads the help's file. */
const placeOf = async (call: OpsCall, input: unknown) => {
  const { region, account } = call;
  if (region !== undefined && account !== undefined) return { region, account, taken: undefined };
  const found = (await import('./help.ts')).readActions().actions.find(({ name }) => name === call.action);
  const action = found ?? { account: 'none', reads: false };
  const inInput = action.account === 'self' ? idIn(input) : undefined;
  return (await import('./account.ts')).completeCall(call, { ...action, inInput });
};

const run = async (call: OpsCall, { env, stdin, stderr }: Terminal): Promise<unknown> => {
  const { action, json, target, token = randomUUID() } = call;
  const input = await readInput(json, stdin);
  const unknown = input === undefined ? undefined : await (await import('./help.ts')).unknownField(action, input);
  if (unknown) throw unknown;
  const { region, account, taken } = await placeOf(call, input);
  // Every try has the same token, because Lambda's client repeats a call if the response is lost.
  const send: Invoke = (page, number) =>
    invoke(target, region, { action, account, input: page, token: number === undefined ? token : `${token}.${number}` }, env);
  try {
    const result = await follow(action, send, input, (line) => stderr(`${line}\n`));
    // Only now, because an error is alone on stderr.
    if (taken !== undefined) stderr(taken);
    return result;
  } catch (error) {
    const isMissing = account === undefined && error instanceof ServiceError && error.body.error['field'] === 'account';
    throw isMissing ? missingAccount() : error;
  }
};

const envelopeOf = (error: unknown): { error: Record<string, unknown> } => {
  const known = error instanceof ApiError || error instanceof ServiceError ? error : failure(reasonOf(error));
  return { error: { ...known.body.error } };
};

const asJson = (value: unknown): string => `${JSON.stringify(value ?? null, null, 2)}\n`;

type Command = (args: readonly string[], terminal: VisibleTerminal, watchForStop: WatchForStop) => Promise<void>;

/** Prints a result: JSON in a pipe, otherwise for people. Prints a text as it is. */
const print = async (name: string, outcome: Outcome, terminal: VisibleTerminal): Promise<void> => {
  if (typeof outcome === 'string') return terminal.painted.stdout(emphasized(outcome, terminal));
  if (terminal.columns === undefined) return terminal.stdout(asJson(outcome.result));
  terminal.painted.stdout((await import('./show.ts')).formatResult(name, outcome.result, terminal, Date.now()));
};

const version = (): string => {
  const { version: number } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return `${number}\n`;
};

// Each command loads when it runs, because an action needs no server and no client.
const commands: Readonly<Record<string, Command>> = {
  listen: async (...call) => (await import('./listen.ts')).listen(...call),
  tail: async (...call) => (await import('./tail.ts')).tail(...call),
  trigger: async (args, terminal) => print('trigger', await (await import('./trigger.ts')).trigger(args, terminal), terminal),
  check: async (...call) => (await import('./check.ts')).check(...call),
  resend: async (args, terminal) => print('resend', await (await import('./resend.ts')).resend(args, terminal), terminal),
  prepare: async (args, terminal) => print('prepare', await (await import('./prepare.ts')).prepare(args, terminal), terminal),
  repeat: async (args, terminal) => print('repeat', await (await import('./repeat.ts')).repeat(args, terminal), terminal),
  completion: async (args, terminal) => (await import('./help.ts')).printCompletion(args, terminal),
  '--version': async (_, { stdout }) => stdout(version()),
};

const help = async (name: string | undefined, { columns }: Terminal): Promise<string> =>
  (await import('./help.ts')).help(name, columns === undefined);

const runAction = async (args: readonly string[], terminal: VisibleTerminal): Promise<void> => {
  const call = parseCall(args);
  if ('help' in call) return terminal.painted.stdout(emphasized(await help(call.help, terminal), terminal));
  const unknown = await (await import('./help.ts')).unknownAction(call.action);
  if (unknown) throw unknown;
  await print(call.action, { result: await run(call, terminal) }, terminal);
};

/** Suggests the nearest known option or action for an unknown one, also if the service rejected the action. */
const explained = async (error: unknown, name: string): Promise<unknown> => {
  if (error instanceof UnknownOption) return (await import('./help.ts')).withSuggestion(error, name);
  const { error: details } = envelopeOf(error);
  const mayBeUnknown = name !== '' && !name.startsWith('-') && !Object.hasOwn(commands, name);
  return mayBeUnknown && ['action', 'region'].includes(String((details as { field?: unknown }).field))
    ? ((await (await import('./help.ts')).unknownAction(name)) ?? error)
    : error;
};

/** Says how to find the input that the service rejected. */
const hintFor = (error: unknown, name: string, { calledAs = command }: Terminal): string => {
  const isInput = error instanceof ServiceError && error.body.error['type'] === 'validation_error' && name.includes('.');
  return isInput ? `${calledAs} ${name} --help shows the input.` : '';
};

/** Returns the arguments with a name before `--help`, also of `help NAME` and `--help NAME`. */
const withHelpLast = (args: readonly string[]): readonly string[] => {
  const [first = '', name, ...rest] = args;
  if (!['help', '--help', '-h'].includes(first)) return args;
  return name === undefined || name.startsWith('-') ? ['--help', ...args.slice(1)] : [name, ...rest, '--help'];
};

/** Whether the arguments ask for JSON. A terminal then gets what a pipe gets, also of an error. */
const asksForJson = (args: readonly string[]): boolean =>
  args.some((arg, i) => arg === '--output=json' || (arg === '--output' && args[i + 1] === 'json'));

/**
 * Runs the command. Returns its exit code; never rejects. `listen` and `tail` run until they are
 * stopped. If `check` is stopped, it first erases its account.
 */
export const ops = async (args: readonly string[], raw: Terminal, watch?: WatchForStop): Promise<0 | 1> => {
  const terminal = visibly(asksForJson(args) ? { ...raw, columns: undefined } : raw);
  const [name = terminal.columns === undefined ? '' : '--help', ...rest] = withHelpLast(args);
  try {
    const known = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (known) await known(rest, terminal, watch ?? (await import('./stop.ts')).watchForStop);
    else await runAction(name === '' ? rest : [name, ...rest], terminal);
    return 0;
  } catch (error) {
    const body = envelopeOf(await explained(error, name));
    if (!(error instanceof ServiceError)) body.error['message'] = asCalled(String(body.error['message']), terminal);
    if (terminal.columns === undefined) terminal.stderr(asJson(body));
    else terminal.painted.stderr((await import('./show.ts')).formatError(body, hintFor(error, name, terminal), terminal));
    return 1;
  }
};
