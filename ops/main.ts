import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ApiError } from '../shared/core/errors.ts';
import { type OpsCall, parseCall, readInput } from './arguments.ts';
import { follow, type Invoke, invoke } from './invoke.ts';
import { failure, type Outcome, reasonOf, ServiceError } from './response.ts';
import type { WatchForStop } from './stop.ts';
import { emphasized, type Terminal, type VisibleTerminal, visibly } from './terminal.ts';

const run = async (
  { action, region, account, json, target, token = randomUUID() }: OpsCall,
  { env, stdin, stderr }: Terminal,
): Promise<unknown> => {
  // Every try has the same token, because Lambda's client repeats a call if the response is lost.
  const call: Invoke = (input, page) =>
    invoke(target, region, { action, account, input, token: page === undefined ? token : `${token}.${page}` }, env);
  const input = await readInput(json, stdin);
  const unknown = input === undefined ? undefined : await (await import('./help.ts')).unknownField(action, input);
  if (unknown) throw unknown;
  return follow(action, call, input, (line) => stderr(`${line}\n`));
};

const envelopeOf = (error: unknown): ApiError['body'] | ServiceError['body'] => {
  if (error instanceof ApiError || error instanceof ServiceError) return error.body;
  return failure(reasonOf(error)).body;
};

const asJson = (value: unknown): string => `${JSON.stringify(value ?? null, null, 2)}\n`;

type Command = (args: readonly string[], terminal: VisibleTerminal, watchForStop: WatchForStop) => Promise<void>;

/** Prints a result: JSON in a pipe, otherwise for people. Prints a text as it is. */
const print = async (name: string, outcome: Outcome, terminal: VisibleTerminal): Promise<void> => {
  if (typeof outcome === 'string') return terminal.painted.stdout(emphasized(outcome, terminal));
  if (terminal.columns === undefined || outcome.isJson) return terminal.stdout(asJson(outcome.result));
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
  completion: async ([shell], { stdout }) => stdout((await import('./help.ts')).completion(shell)),
  '--version': async (_, { stdout }) => stdout(version()),
};

const help = async (name: string | undefined, { columns }: Terminal): Promise<string> =>
  (await import('./help.ts')).help(name, columns === undefined);

const runAction = async (args: readonly string[], terminal: VisibleTerminal): Promise<void> => {
  const call = parseCall(args);
  if ('help' in call) return terminal.painted.stdout(emphasized(await help(call.help, terminal), terminal));
  const unknown = await (await import('./help.ts')).unknownAction(call.action);
  if (unknown) throw unknown;
  await print(call.action, { isJson: call.isJson, result: await run(call, terminal) }, terminal);
};

/**
 * Suggests the nearest known action for an unknown one, also if the region is missing or the
 * service rejected it.
 */
const explained = async (error: unknown, name: string): Promise<unknown> => {
  const { error: details } = envelopeOf(error);
  const mayBeUnknown = name !== '' && !name.startsWith('-') && !Object.hasOwn(commands, name);
  return mayBeUnknown && ['action', 'region'].includes(String((details as { field?: unknown }).field))
    ? ((await (await import('./help.ts')).unknownAction(name)) ?? error)
    : error;
};

/**
 * Runs the command. Returns its exit code; never rejects. `listen` and `tail` run until they are
 * stopped. If `check` is stopped, it first erases its account.
 */
export const ops = async (args: readonly string[], raw: Terminal, watch?: WatchForStop): Promise<0 | 1> => {
  const terminal = visibly(raw);
  const [name = terminal.columns === undefined ? '' : '--help', ...rest] = args;
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) await command(rest, terminal, watch ?? (await import('./stop.ts')).watchForStop);
    else await runAction(name === '' ? rest : [name, ...rest], terminal);
    return 0;
  } catch (error) {
    const body = envelopeOf(await explained(error, name));
    if (terminal.columns === undefined) terminal.stderr(asJson(body));
    else terminal.painted.stderr((await import('./show.ts')).formatError(body, terminal));
    return 1;
  }
};
