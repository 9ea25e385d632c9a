import { readFileSync } from 'node:fs';

/** Returns name and parent of a process; undefined if it ended, or if the system has no /proc. */
const processOf = (pid: number): { name: string; parent: number } | undefined => {
  try {
    const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
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
