import { randomUUID } from 'node:crypto';
import { ApiError } from '../shared/core/errors.ts';
import { failure, Refusal, reasonOf } from './answer.ts';
import { type OpsCall, parseCall, readInput } from './arguments.ts';
import { follow, invoke } from './invoke.ts';
import type { WatchForStop } from './stop.ts';
import { type Terminal, visibly } from './terminal.ts';

const run = async (
  { action, region, account, json, target, token = randomUUID() }: OpsCall,
  { env, stdin }: Terminal,
): Promise<unknown> => {
  // One token for the command, so that every try carries it: the client of Lambda repeats a call whose answer was lost.
  const call = (input: unknown): Promise<unknown> => invoke(target, region, { action, account, input, token }, env);
  return follow(action, call, await readInput(json, stdin));
};

const envelopeOf = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof Refusal) return error.body;
  return failure(reasonOf(error)).body;
};

const asJson = (value: unknown): string => `${JSON.stringify(value ?? null, null, 2)}\n`;

type Command = (args: readonly string[], terminal: Terminal, watchForStop: WatchForStop) => Promise<void>;

const print = (value: unknown, { stdout }: Terminal): void => stdout(typeof value === 'string' ? value : asJson(value));

// Each is loaded when it is asked for: an action needs neither a server nor the client, nor what help tells of all the others.
const commands: Readonly<Record<string, Command>> = {
  listen: async (...call) => (await import('./listen.ts')).listen(...call),
  tail: async (...call) => (await import('./tail.ts')).tail(...call),
  trigger: async (args, terminal) => print(await (await import('./trigger.ts')).trigger(args, terminal), terminal),
  check: async (...call) => (await import('./check.ts')).check(...call),
  resend: async (args, terminal) => print(await (await import('./resend.ts')).resend(args, terminal), terminal),
};

const runAction = async (args: readonly string[], terminal: Terminal): Promise<void> => {
  const call = parseCall(args);
  print('help' in call ? (await import('./help.ts')).help(call.help) : asJson(await run(call, terminal)), terminal);
};

/** Runs the command and resolves with its exit code; never rejects. `listen` and `tail` run until they are asked to stop; `check` erases its account first. */
export const ops = async (args: readonly string[], rawTerminal: Terminal, watch?: WatchForStop): Promise<0 | 1> => {
  const terminal = visibly(rawTerminal);
  const [name = '', ...rest] = args;
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) await command(rest, terminal, watch ?? (await import('./stop.ts')).watchForStop);
    else await runAction(args, terminal);
    return 0;
  } catch (error) {
    terminal.stderr(asJson(envelopeOf(error)));
    return 1;
  }
};
