import { Readable } from 'node:stream';
import { ops } from '../../ops/main.ts';
import { eventually } from '../support/journey.ts';

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs until it is stopped, in this process. */
export interface Running {
  /** Lines of standard output so far. */
  lines(): string[];
  stderr(): string;
  /** Stops the command. Resolves with its exit code. */
  stop(): Promise<0 | 1>;
  /** Resolves with its exit code once it ends. */
  readonly ended: Promise<0 | 1>;
}

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Number of the terminal's columns; absent for a pipe. */
  readonly columns?: number;
  readonly calledAs?: string;
}

const start = (args: readonly string[], { env = {}, stdin = '', columns, calledAs }: Surroundings, requested: Promise<void>) => {
  const out = { stdout: '', stderr: '' };
  const terminal = {
    env,
    columns,
    calledAs,
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: (text: string) => {
      out.stdout += text;
    },
    stderr: (text: string) => {
      out.stderr += text;
    },
  };
  return { out, ended: ops(args, terminal, () => ({ requested, release: () => {} })) };
};

/** Runs a command in this process to its end. */
export const run = async (args: readonly string[], surroundings: Surroundings = {}): Promise<Run> => {
  const { out, ended } = start(args, surroundings, Promise.resolve());
  return { code: await ended, ...out };
};

/** Resolves once the command says that it is ready, or has ended. */
export const startCommand = async (
  args: readonly string[],
  ready: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<Running> => {
  let ask = () => {};
  const stopRequest = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const { out, ended } = start(args, { env }, stopRequest);
  let running = true;
  void ended.then(() => {
    running = false;
  });
  await eventually(
    () => out.stderr,
    (text) => !running || ready.test(text),
  );
  return {
    lines: () => out.stdout.split('\n').filter(Boolean),
    stderr: () => out.stderr,
    stop() {
      ask();
      return ended;
    },
    ended,
  };
};
