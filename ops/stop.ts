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

/** `byInput`: the end of the input asks too (default true). A command that ends by itself leaves it out, because pipelines close their input. */
export type WatchForStop = (how?: { readonly byInput?: boolean }) => Stop;

/** Until it is released, the first signal asks; a second one kills. */
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
