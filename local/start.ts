import { banner, terminalPaint } from './banner.ts';
import { openLog } from './log.ts';
import { parseOptions, type StartOptions, UsageError, usage } from './options.ts';
import { type Runtime, startRuntime } from './runtime.ts';
import { onStopSignals, watchNpm } from './stop-signals.ts';

const wrongUsage = 2;

const exitWithError = (error: unknown, exitCode = 1): never => {
  const known = error instanceof UsageError;
  process.stderr.write(
    known ? `${error.message}\n` : `The service could not start: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  return process.exit(exitCode);
};

const longestStopMs = 6000;

const exit = () => process.exit(0);

const stop = (runtime: Runtime) => {
  setTimeout(exit, longestStopMs);
  void runtime.stop().then(exit);
};

const readOptions = (args: readonly string[]): StartOptions | 'help' => {
  try {
    return parseOptions(args);
  } catch (error) {
    return exitWithError(error, wrongUsage);
  }
};

/** Runs `npm start`: reads the options, prints the addresses and runs until it is stopped. */
export const main = async (args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<void> => {
  const options = readOptions(args);
  if (options === 'help') {
    process.stdout.write(usage);
    return;
  }
  let end: () => void = exit;
  if (env['npm_lifecycle_event'] === 'start') watchNpm(() => end());
  try {
    const runtime = await startRuntime({ ...options, log: openLog(options) });
    end = () => stop(runtime);
    onStopSignals(end, exit);
    void runtime.outOfSpace.then((sentence) => process.stderr.write(`${sentence}\n`));
    const today = new Date().toISOString().slice(0, 10);
    process.stdout.write(banner(runtime, { ...options, today }, terminalPaint(process.stdout.isTTY === true, env)));
  } catch (error) {
    exitWithError(error);
  }
};
