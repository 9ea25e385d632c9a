import { breachText } from './complain.ts';
import { Pool } from './pool.ts';
import { storyOf } from './story.ts';
import type { Task } from './task.ts';
import { readTraceFile } from './trace-file.ts';

export interface Reader {
  /** Whether it prints the whole trace, or only the story of a broken invariant. */
  readonly trace: boolean;
  readonly patienceMs: number;
  readonly print: (text: string) => void;
}

/** Plays one scenario and prints it. Returns the invariant that it broke. */
export const playOne = async (task: Omit<Task, 'traced'>, mutant: string | undefined, reader: Reader): Promise<string | undefined> => {
  const { trace, patienceMs, print } = reader;
  const pool = new Pool({ workers: 1, mutant, patienceMs });
  const outcome = await pool.play({ ...task, traced: true });
  await pool.close();
  const { breach } = outcome;
  if (trace || breach) print(`${(trace ? outcome.trace : storyOf(outcome)).join('\n')}\n\n`);
  if (breach) print(`Seed ${task.seed} breaks a promise. ${breachText(breach)}`);
  else print(`Seed ${task.seed}: every invariant holds.\n`);
  return breach?.invariant;
};

/** Replays a trace file. Returns whether every invariant holds now. Throws `UsageError`. */
export const replay = async (file: string, reader: Reader): Promise<boolean> => {
  const { mutant, invariant, ...task } = readTraceFile(file);
  const broken = await playOne(task, mutant ?? undefined, reader);
  if (broken === undefined) reader.print(`Holds now: ${invariant}\n`);
  else if (broken !== invariant) reader.print(`It was kept for another one: ${invariant}\n`);
  return broken === undefined;
};
