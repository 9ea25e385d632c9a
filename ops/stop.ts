import { fstatSync } from 'node:fs';
import { onStopSignals, watchNpm } from '../local/stop-signals.ts';

export interface Stop {
  /**
   * Resolves on a signal to stop, at the end of the input, or when the npm process ends that
   * started the command.
   */
  readonly requested: Promise<void>;
  /** Stops watching, so that the process can end. */
  release(): void;
}

/**
 * Whether a person or a pipe can write the input, so that its end means stop. A background job
 * reads /dev/null, and its end means nothing.
 */
const hasWriter = (): boolean => {
  try {
    const input = fstatSync(0);
    return process.stdin.isTTY || input.isFIFO() || input.isSocket();
  } catch {
    return false; // closed
  }
};

/**
 * With `byInput` (default true), the end of the input also stops the command. Commands that end by
 * themselves set it to false, because pipelines close their input.
 */
export type WatchForStop = (how?: { readonly byInput?: boolean }) => Stop;

const stoppedCode = 130;

/** The first signal asks the command to stop; a later one ends it at once. */
export const watchForStop: WatchForStop = ({ byInput = true } = {}) => {
  const { promise: requested, resolve: ask } = Promise.withResolvers<void>();
  const unwatch = onStopSignals(ask, () => process.exit(stoppedCode));
  const watchesInput = byInput && hasWriter();
  if (watchesInput) process.stdin.once('end', ask).once('error', ask).resume();
  if (process.env['npm_lifecycle_event'] === 'ops') watchNpm(ask);
  return {
    requested,
    release() {
      unwatch();
      if (watchesInput) process.stdin.destroy();
    },
  };
};
