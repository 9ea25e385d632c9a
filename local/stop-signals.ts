import { readFileSync } from 'node:fs';

/** ^C, `kill`, and the end of the terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Signals within this time count as one: a terminal sends ^C to every process, and npm and an older
 * Node pass it on.
 */
const repeatMs = 1_000;

/**
 * Calls `ask` at the first signal to stop, and `insist` at a later one. Returns a function that
 * stops watching.
 */
export const onStopSignals = (ask: () => void, insist: () => void): (() => void) => {
  let firstMs: number | undefined;
  const notice = () => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      ask();
    } else if (performance.now() - firstMs > repeatMs) insist();
  };
  for (const signal of stopSignals) process.on(signal, notice);
  return () => {
    for (const signal of stopSignals) process.off(signal, notice);
  };
};

/**
 * Returns name, state (`Z` if it waits for its parent) and parent of a process; undefined if it
 * ended, or if the system has no /proc.
 */
export const processOf = (pid: number): { name: string; state: string; parent: number } | undefined => {
  try {
    const [, name = '', state = '', parent] = /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, state, parent: Number(parent) };
  } catch {
    return undefined;
  }
};

const watchEveryMs = 200;

/**
 * npm starts this process directly or through a shell. If npm is killed, nothing stops this
 * process, so `ended` is called.
 */
export const watchNpm = (ended: () => void): void => {
  const parent = process.ppid;
  const grandparent = processOf(parent)?.parent ?? 0;
  const isBehindShell = processOf(grandparent)?.name.startsWith('npm') ?? false;
  const timer = setInterval(() => {
    if (process.ppid === parent && !(isBehindShell && processOf(parent)?.parent !== grandparent)) return;
    clearInterval(timer);
    ended();
  }, watchEveryMs).unref();
};
