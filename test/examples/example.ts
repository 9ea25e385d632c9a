import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/journey.ts';

/** An example as people start it, in a process of its own. */
export interface Example {
  stdout(): string;
  stderr(): string;
  /** The first address that it printed. */
  url(): string;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  /** Its exit code, once it ends on its own. */
  readonly ended: Promise<number | null>;
}

/** Through the interpreter that its npm script names; its output is all that is known of it. */
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
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    ended,
  };
};

/** Started, and ready to be asked. */
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
