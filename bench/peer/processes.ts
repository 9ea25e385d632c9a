import { readdirSync, readFileSync } from 'node:fs';

const ticksASecond = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  /** CPU of the process and of the children it has waited for. */
  readonly seconds: number;
}

const statOf = (pid: string): Stat | undefined => {
  try {
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0);
    return { pid: Number(pid), parent: fields[1] ?? 0, name, seconds: ticks / ticksASecond };
  } catch {
    return undefined; // The process has ended.
  }
};

/** Returns the CPU seconds so far of a process and its descendants, by program name. Linux only. */
export const cpuOf = (root: number): ReadonlyMap<string, number> => {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(pid) ?? []);
  const seconds = new Map<string, number>();
  const add = (pid: number): void => {
    const own = all.find((one) => one.pid === pid);
    if (own) seconds.set(own.name, (seconds.get(own.name) ?? 0) + own.seconds);
    for (const child of all.filter(({ parent }) => parent === pid)) add(child.pid);
  };
  add(root);
  return seconds;
};
