import { readFileSync } from 'node:fs';

/** Returns a process's name and parent, or undefined if it ended or there is no /proc. */
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
 * Calls `ended` when npm is killed. npm starts this process directly or through a shell, and then
 * no other process would stop it.
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
