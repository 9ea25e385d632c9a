import { awsClientOf } from '../../lib/aws-clients.ts';
import { resolveQuickly } from '../../local/modules.ts';
import { mutants } from './mutants/mutants.ts';
import { mutate } from './mutants/mutate.ts';
import { readOptions, type SimulateOptions, UsageError, usage } from './options.ts';
import type { Played } from './scenario.ts';
import type { Accident } from './scheduler/accidents.ts';

const wrongUsage = 2;
const print = (text: string): void => void process.stdout.write(text);

const readArguments = (): SimulateOptions => {
  if (process.argv.includes('--help')) {
    print(usage);
    process.exit(0);
  }
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(wrongUsage);
  }
};

/** Lines about what a broken promise names, and about every accident. */
const leadingTo = ({ trace, breach }: Played): readonly string[] => {
  const ids = new Set(
    (breach?.sentences ?? []).flatMap((text) => text.match(/\b[a-z]{2,4}_[0-9a-z]{26}\b|\b(?:app|shop)-\d+-\d+\b/g) ?? []),
  );
  const told = [...ids].map((id) => (id.includes('_') ? id.replace(/_.{22}/, '_') : id));
  return trace.filter((line) => told.some((name) => line.includes(name)) || / dies | runs out of time|goes home/.test(line));
};

const { seed: firstSeed, runs, level, mutant, trace: whole } = readArguments();
resolveQuickly(awsClientOf(process.env));
const fault = mutants.find(({ name }) => name === mutant);
if (fault) mutate(fault);
const { play } = await import('./scenario.ts');
const { laws } = await import('./laws/index.ts');

const startedMs = performance.now();
const accidents = new Map<Accident, number>();
let [actions, calls] = [0, 0];
let virtualMs = 0;
const uncounted = { ends: 0, killed: 0, failed: 0 };

const progress = (done: number): string => {
  const seconds = (performance.now() - startedMs) / 1000;
  const befell = [...accidents.values()].reduce((sum, count) => sum + count, 0);
  return `${done} of ${runs} scenarios, ${(done / seconds).toFixed(1)} a second; ${(virtualMs / 86_400_000 / seconds).toFixed(1)} virtual days a second; ${actions} actions, ${calls} calls, ${befell} accidents`;
};

const complain = (seed: number, played: Played): void => {
  const { breach } = played;
  print(`\n\nSeed ${seed} breaks a promise. ${breach?.law}\n${breach?.sentences.map((sentence) => `  ${sentence}\n`).join('')}\n`);
  print(`${(whole ? played.trace : leadingTo(played)).join('\n')}\n\n`);
  const again = ['npm run simulate --', `--seed ${seed}`, `--accidents ${level}`, ...(mutant === undefined ? [] : [`--mutant ${mutant}`])];
  print(`Again, with everything that happened: ${again.join(' ')} --trace\n`);
  // No exit by force: a long trace may still be on its way through a pipe.
  process.exitCode = 1;
};

/** The seed of the first scenario that breaks a promise; undefined where none does. */
const playAll = async (): Promise<number | undefined> => {
  for (let run = 0; run < runs; run++) {
    const seed = firstSeed + run;
    const played = await play({ seed, level });
    for (const [accident, count] of played.accidents.tally) accidents.set(accident, (accidents.get(accident) ?? 0) + count);
    calls += played.accidents.calls;
    actions += played.deeds.length;
    virtualMs += played.virtualMs;
    for (const kind of ['ends', 'killed', 'failed'] as const) uncounted[kind] += played.uncounted[kind];
    if (played.breach) {
      complain(seed, played);
      return seed;
    }
    if (runs === 1 && whole) print(`${played.trace.join('\n')}\n`);
    if (process.stdout.isTTY) print(`\r${progress(run + 1)}`);
  }
  return undefined;
};

if ((await playAll()) === undefined) {
  print(`${process.stdout.isTTY ? '\r' : ''}${progress(runs)}\n`);
  const kinds = [...accidents].sort(([, a], [, b]) => b - a);
  if (kinds.length > 0) print(`Accidents: ${kinds.map(([accident, count]) => `${count} ${accident}`).join(', ')}\n`);
  const { ends, killed, failed } = uncounted;
  print(`Ends of attempts: ${ends}; in no count ${killed} of invocations that were killed, ${failed} whose count failed for good\n`);
  print(`Every law held: ${laws.map(({ number, name }) => `${number} (${name})`).join('; ')}\n`);
}
