import type { Level } from '../scheduler/faults.ts';
import type { Pool } from './pool.ts';
import { shrink } from './shrink.ts';
import { storyOf } from './story.ts';
import { type Breach, type Cut, nothingCut, type Outcome } from './task.ts';
import { writeTraceFile } from './trace-file.ts';
import { versionOfSimulator } from './version.ts';

export interface Scene {
  readonly pool: Pool;
  readonly level: Level;
  readonly mutant: string | undefined;
  readonly print: (text: string) => void;
}

const limits = { replays: 150, ms: 60_000 };
const mostSentences = 12;
const lastLines = 60;

export const breachText = ({ invariant, sentences }: Breach): string => {
  const more = sentences.length - mostSentences;
  const lines = [...sentences.slice(0, mostSentences), ...(more > 0 ? [`… and ${more} more.`] : [])];
  return `${invariant}\n${lines.map((sentence) => `  ${sentence}\n`).join('')}`;
};

/**
 * Prints the invariant that a scenario broke, the shortest story found that breaks it, and the
 * command that replays it.
 */
export const complain = async (failing: Outcome, { pool, level, mutant, print }: Scene): Promise<void> => {
  const { seed, breach } = failing;
  if (!breach) return;
  print(`\nSeed ${seed} breaks a promise. ${breachText(breach)}\n`);
  const play = (cut: Cut, traced: boolean) => pool.play({ ...cut, seed, level, traced });
  const again = await play(nothingCut, true);
  if (again.breach?.invariant !== breach.invariant) {
    print('Played alone, it does not: an earlier scenario has left something behind.\n');
    return;
  }
  // The scenario did not start: the source does not load, or a mutant's text is gone.
  if (again.trace.length === 0) return;
  let cut = nothingCut;
  if (again.calls === 0) print(`It was ended by force. What it did last:\n\n${again.trace.slice(-lastLines).join('\n')}\n\n`);
  else {
    const shrunk = await shrink(again, { play: (one) => play(one, false), width: pool.workers, limits });
    cut = shrunk.cut;
    const { outcome, replays, cutShort } = shrunk;
    const short = `${outcome.actions.length} actions and ${outcome.met.length} faults are left of ${again.actions.length} and ${again.met.length}`;
    print(`${short}, after ${replays} replays${cutShort ? '; a limit ended the search for a shorter story' : ''}.\n\n`);
    const traced = await play(cut, true);
    print(`${storyOf(traced).join('\n')}\n\n`);
    if (traced.breach) print(`So it breaks ${breachText(traced.breach)}\n`);
  }
  const file = writeTraceFile({ version: versionOfSimulator(), seed, level, mutant: mutant ?? null, invariant: breach.invariant, ...cut });
  print(
    `Again: npm run simulate -- --replay ${file}\nwith --trace for everything that happened; the whole of it: ${replayCommand(seed, level, mutant)}\n`,
  );
};

const replayCommand = (seed: number, level: Level, mutant: string | undefined): string =>
  `npm run simulate -- --seed ${seed} --faults ${level}${mutant === undefined ? '' : ` --mutant ${mutant}`} --trace`;
