import { readFileSync } from 'node:fs';

/** Milliseconds of a clock tick of Linux's CPU time. */
const tickMs = 10;
const pageBytes = 4096;

/** Returns a process and its descendants. Linux only. */
export const processesOf = (pid: number): number[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processesOf)];
};

/** Returns the fields of `/proc/PID/stat` behind the program's name, which may contain spaces. */
const statOf = (pid: number): readonly string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

/** Returns the CPU of one process in milliseconds, user and system. */
export const cpuMsOf = (pid: number): number => {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
};

export const residentBytesOf = (pid: number): number => Number(statOf(pid)[21]) * pageBytes;
