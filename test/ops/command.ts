import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import { ops } from '../../ops/main.ts';
import { eventually } from '../support/journey.ts';

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

export type Run = Readonly<Record<'stdout' | 'stderr', string>> & { readonly code: number };

/** Returns the error of a run that failed and printed nothing else. */
export const errorOf = ({ code, stdout, stderr }: Run): Record<string, any> => {
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const { error, ...rest } = JSON.parse(stderr);
  expect(rest).toEqual({});
  return error;
};

/** Runs a command in this process to its end. */
export const run = async (args: readonly string[], surroundings: Surroundings = {}): Promise<Run> => {
  const { out, ended } = start(args, surroundings, Promise.resolve());
  return { code: await ended, ...out };
};

/** A command that runs in this process until it is stopped. Resolves once it says that it is ready, or has ended. */
export const startCommand = async (args: readonly string[], ready: RegExp, env: Readonly<Record<string, string>> = {}) => {
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
    /** Lines of standard output so far. */
    lines: () => out.stdout.split('\n').filter(Boolean),
    stderr: () => out.stderr,
    /** Stops the command. Resolves with its exit code. */
    stop() {
      ask();
      return ended;
    },
    ended,
  };
};
