import { randomUUID } from 'node:crypto';
import { ApiError } from '../shared/core/errors.ts';
import { type OpsCall, parseCall, readInput } from './arguments.ts';
import { follow } from './follow.ts';
import { invokeDeployed, invokeLocal, Refusal } from './invoke.ts';
import { type Stop, watchForStop } from './stop.ts';

/** The command's surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const run = async (
  { action, region, account, json, target, token = randomUUID() }: OpsCall,
  { env, stdin }: Terminal,
): Promise<unknown> => {
  const invoke = (input: unknown): Promise<unknown> => {
    // One token for the command, so that every try carries it: the client of Lambda repeats a call whose answer was lost.
    const event = { action, ...(account === undefined ? {} : { account }), ...(input === undefined ? {} : { input }), token };
    return 'stack' in target ? invokeDeployed(target.stack, region, event, env) : invokeLocal(target.port, region, event);
  };
  return follow(action, invoke, await readInput(json, stdin));
};

const envelopeOf = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof Refusal) return error.body;
  return new ApiError('internal_error', error instanceof Error ? error.message : String(error)).body;
};

const asJson = (value: unknown): string => `${JSON.stringify(value ?? null, null, 2)}\n`;

/** Runs the command and resolves with its exit code; never rejects. `listen` runs until it is asked to stop. */
export const ops = async (args: readonly string[], terminal: Terminal, watch: () => Stop = watchForStop): Promise<0 | 1> => {
  const [command, ...rest] = args;
  try {
    // Loaded here: an action needs neither the client nor a server, nor what help tells of all the others.
    if (command === 'listen') {
      await (await import('./listen.ts')).listen(rest, terminal, watch);
      return 0;
    }
    if (command === 'trigger') {
      const made = await (await import('./trigger.ts')).trigger(rest);
      terminal.stdout(typeof made === 'string' ? made : asJson(made));
      return 0;
    }
    const call = parseCall(args);
    terminal.stdout('help' in call ? (await import('./help.ts')).help(call.help) : asJson(await run(call, terminal)));
    return 0;
  } catch (error) {
    terminal.stderr(asJson(envelopeOf(error)));
    return 1;
  }
};
