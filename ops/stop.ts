import { fstatSync } from 'node:fs';
import { watchNpm } from '../local/npm.ts';

export interface Stop {
  /**
   * Resolves on SIGINT, SIGTERM, the end of the input, or the end of the npm that started the
   * command.
   */
  readonly asked: Promise<void>;
  /** Stops watching, so that the process can end. */
  release(): void;
}

/**
 * The end of typed or piped input means stop. For background jobs, the end of /dev/null means
 * nothing.
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
 * `byInput`: the end of the input stops the command too (default true). Pipelines close the input
 * of commands that end on their own.
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
