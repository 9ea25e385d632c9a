import { fstatSync } from 'node:fs';
import { watchNpm } from '../local/npm.ts';

export interface Stop {
  /** Resolves when the person is done: SIGINT, SIGTERM, the end of the input, or the end of the npm that started this. */
  readonly asked: Promise<void>;
  /** The process may end by itself again. */
  release(): void;
}

/** Typed or piped input ends when its writer is done with this command; /dev/null, which background jobs get, says nothing by ending. */
const hasWriter = (): boolean => {
  try {
    const input = fstatSync(0);
    return process.stdin.isTTY || input.isFIFO() || input.isSocket();
  } catch {
    return false; // closed
  }
};

/** Until it is released, the first signal asks; a second one kills. */
export const watchForStop = (): Stop => {
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  process.once('SIGINT', ask).once('SIGTERM', ask);
  if (hasWriter()) process.stdin.once('end', ask).once('error', ask).resume();
  if (process.env['npm_lifecycle_event'] === 'ops') watchNpm(ask);
  return {
    asked,
    release() {
      process.off('SIGINT', ask).off('SIGTERM', ask);
      if (hasWriter()) process.stdin.destroy();
    },
  };
};
