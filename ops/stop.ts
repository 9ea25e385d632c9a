import { fstatSync } from 'node:fs';
import { watchNpm } from '../local/npm.ts';

export interface Stop {
  /**
   * Resolves on SIGINT or SIGTERM, at the end of the input, or when the npm process ends that
   * started the command.
   */
  readonly asked: Promise<void>;
  /** Stops watching, so that the process can end. */
  release(): void;
}

/**
 * Whether a person or a pipe can write the input, so that its end means stop. A background job
 * reads /dev/null, whose end means nothing.
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

/** The first signal asks the command to stop; a second one kills it. */
export const watchForStop: WatchForStop = ({ byInput = true } = {}) => {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  process.once('SIGINT', ask).once('SIGTERM', ask);
  const watchesInput = byInput && hasWriter();
  if (watchesInput) process.stdin.once('end', ask).once('error', ask).resume();
  if (process.env['npm_lifecycle_event'] === 'ops') watchNpm(ask);
  return {
    asked,
    release() {
      process.off('SIGINT', ask).off('SIGTERM', ask);
      if (watchesInput) process.stdin.destroy();
    },
  };
};
