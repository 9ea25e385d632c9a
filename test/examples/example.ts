import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/journey.ts';

/** An example in a process of its own, started as its README says. */
export interface Example {
  stdout(): string;
  stderr(): string;
  /** The first URL that it printed. */
  url(): string;
  /** Sends the signal (default SIGTERM) and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Its exit code, once it ends without a signal. */
  readonly ended: Promise<number | null>;
}

/** Runs the example with the interpreter of its npm script; tests read only its output. */
export const startExample = (command: string, file: string, env: Readonly<Record<string, string>>): Example => {
  const child = spawn(command, [file], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += String(chunk);
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    stdout: () => out.stdout,
    stderr: () => out.stderr,
    url: () => /http:\/\/\S+/.exec(out.stdout)?.[0] ?? '',
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    ended,
  };
};

/** Starts the example and waits until it is ready for requests. */
export const openExample = async (command: string, file: string, env: Readonly<Record<string, string>>): Promise<Example> => {
  const example = startExample(command, file, env);
  let code: number | null | undefined;
  void example.ended.then((ended) => {
    code = ended;
  });
  await eventually(example.url, (url) => url !== '' || code !== undefined);
  if (code !== undefined) throw new Error(`${file} ended with ${code}: ${example.stderr()}`);
  return example;
};
