import { ApiError } from '../../shared/core/errors.ts';
import { type OpsCall, parseCall } from './arguments.ts';
import { follow } from './follow.ts';
import { help } from './help.ts';
import { readInput } from './input.ts';
import { invokeDeployed, invokeLocal, Refusal } from './invoke.ts';

/** The command's surroundings. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const run = async ({ action, region, account, json, target }: OpsCall, { env, stdin }: Terminal): Promise<unknown> => {
  const invoke = (input: unknown): Promise<unknown> => {
    const event = { action, ...(account === undefined ? {} : { account }), ...(input === undefined ? {} : { input }) };
    return 'stack' in target ? invokeDeployed(target.stack, region, event, env) : invokeLocal(target.port, region, event);
  };
  return follow(action, invoke, await readInput(json, stdin));
};

const envelopeOf = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof Refusal) return error.body;
  return new ApiError('internal_error', error instanceof Error ? error.message : String(error)).body;
};

const asJson = (value: unknown): string => `${JSON.stringify(value ?? null, null, 2)}\n`;

/** Runs the command and resolves with its exit code; never rejects. */
export const ops = async (args: readonly string[], terminal: Terminal): Promise<0 | 1> => {
  try {
    const call = parseCall(args);
    terminal.stdout('help' in call ? help(call.help) : asJson(await run(call, terminal)));
    return 0;
  } catch (error) {
    terminal.stderr(asJson(envelopeOf(error)));
    return 1;
  }
};
