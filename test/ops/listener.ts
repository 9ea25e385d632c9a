import { Readable } from 'node:stream';
import { ops } from '../../ops/main.ts';
import { eventually } from '../support/journey.ts';

/** One run of `ops listen` in this process. */
export interface Listener {
  /** Lines of standard output so far. */
  lines(): string[];
  stderr(): string;
  secret(): string;
  /** Asks it to stop; its exit code. */
  stop(): Promise<0 | 1>;
  /** Its exit code, once it ends. */
  readonly ended: Promise<0 | 1>;
}

/** Resolves once it is ready, or has ended by itself. */
export const startListener = async (port: number, ...args: readonly string[]): Promise<Listener> => {
  const out = { stdout: '', stderr: '' };
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  let running = true;
  const ended = ops(
    ['listen', '--port', String(port), ...args],
    {
      env: {},
      stdin: Readable.from([]),
      stdout: (text) => {
        out.stdout += text;
      },
      stderr: (text) => {
        out.stderr += text;
      },
    },
    () => ({ asked, release: () => {} }),
  ).finally(() => {
    running = false;
  });
  await eventually(
    () => out.stderr,
    (text) => !running || text.includes('Ready!'),
  );
  return {
    lines: () => out.stdout.split('\n').filter(Boolean),
    stderr: () => out.stderr,
    secret: () => /whsec_\S+/.exec(out.stderr)?.[0] ?? '',
    stop() {
      ask();
      return ended;
    },
    ended,
  };
};
