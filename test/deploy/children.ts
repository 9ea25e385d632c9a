import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onStopSignals, watchNpm } from '../../local/stop-signals.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Default: the project's root. */
  readonly cwd?: string;
  /** File descriptor for stdout and stderr; without it the output is collected. */
  readonly output?: number;
}

/** A command that ended; `output` holds stdout and stderr in the order they were written. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly output: string;
}

const running = new Set<ChildProcess>();
let ending = false;

/** Ends a process and all its children; each command leads its own process group. */
const endGroup = (child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Starts a command; throws if `endAll` was called. */
export const start = (
  command: string,
  args: readonly string[],
  { env = process.env, cwd = root, output }: RunOptions = {},
): ChildProcess => {
  if (ending) throw new Error('The run is ending.');
  const to = output ?? 'pipe';
  const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, stdio: ['ignore', to, to], detached: true });
  running.add(child);
  return child;
};

/** Runs a command to its end; rejects only if it cannot be started. */
export const run = async (command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
  const child = start(command, args, options);
  let stdout = '';
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    output += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout, output };
  } finally {
    running.delete(child);
  }
};

/** Like `run`, but throws with the command's output if it fails. */
export const mustRun = async (command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> => {
  const ended = await run(command, args, options);
  if (ended.code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${ended.code}:\n${ended.output}`);
  return ended;
};

/**
 * Sends SIGTERM to all running commands and kills them after `graceMs`. No command starts
 * afterwards.
 */
export const endAll = async (graceMs = 5000): Promise<void> => {
  ending = true;
  const children = [...running];
  running.clear();
  const gone = Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  for (const child of children) endGroup(child, 'SIGTERM');
  await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
  // Kills processes that remain in the group.
  for (const child of children) endGroup(child, 'SIGKILL');
  await gone;
};

/** Calls `end` when the user, or the end of npm, stops this process; a later signal ends it at once. */
export const onStop = (end: () => void): void => {
  onStopSignals(end, () => process.exit(1));
  watchNpm(end);
};
