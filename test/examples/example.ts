import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/journey.ts';

/** Runs an example in a process of its own, with the interpreter of its npm script; tests read only its output. */
export const startExample = (command: string, file: string, env: Readonly<Record<string, string>>) => {
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
    /** The first URL that it printed. */
    url: () => /http:\/\/\S+/.exec(out.stdout)?.[0] ?? '',
    /** Returns the exit code. */
    stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
    /** Its exit code, once it ends without a signal. */
    ended,
  };
};

/** Starts the example and waits until it is ready for requests. */
export const openExample = async (command: string, file: string, env: Readonly<Record<string, string>>) => {
  const example = startExample(command, file, env);
  let code: number | null | undefined;
  void example.ended.then((ended) => {
    code = ended;
  });
  await eventually(example.url, (url) => url !== '' || code !== undefined);
  if (code !== undefined) throw new Error(`${file} ended with ${code}: ${example.stderr()}`);
  return example;
};
