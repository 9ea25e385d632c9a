import { onStopSignals } from '../../local/stop-signals.ts';
import { judgeMutants } from './command/judge-mutants.ts';
import { defaultLevel, readOptions, type SimulateOptions, UsageError, usage } from './command/options.ts';
import { playMany } from './command/play-many.ts';
import { playOne, replay } from './command/play-one.ts';
import { nothingCut } from './command/task.ts';

const codes = { hold: 0, broken: 1, wrongUsage: 2, stopped: 130 };
/**
 * The most real time for one scenario. It usually takes a fraction of a second, also many times that
 * on a loaded machine; one that blocks its thread is stopped.
 */
const patienceMs = 600_000;
const print = (text: string): void => void process.stdout.write(text);

/** Returns a signal that ^C aborts. A later ^C ends the process. */
const stopSignal = (): AbortSignal => {
  const stopping = new AbortController();
  onStopSignals(
    () => stopping.abort(),
    () => process.exit(codes.stopped),
  );
  return stopping.signal;
};

/** Returns whether every invariant held. */
const simulate = async (options: SimulateOptions, stopped: AbortSignal): Promise<boolean> => {
  if (options.mode === 'replay') return replay(options.file, { trace: options.trace, patienceMs, print });
  if (options.mode === 'mutants') return (await judgeMutants({ ...options, patienceMs, print })) === 0;
  const { seed = 1, level = defaultLevel, mutant, trace } = options;
  if (trace) return (await playOne({ ...nothingCut, seed, level }, mutant, { trace, patienceMs, print })) === undefined;
  return playMany(options, { print, isTerminal: process.stdout.isTTY === true, patienceMs, stopped });
};

// A reader such as `head` that closes the stream ends the run.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

if (process.argv.includes('--help')) print(usage);
else {
  try {
    const stopped = stopSignal();
    const allHold = await simulate(readOptions(process.argv.slice(2)), stopped);
    // Does not call `process.exit`, because a pipe may still hold a part of the trace.
    process.exitCode = allHold ? (stopped.aborted ? codes.stopped : codes.hold) : codes.broken;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = codes.wrongUsage;
  }
}
