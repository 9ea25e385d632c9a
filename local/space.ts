import type { Log } from '../shared/core/log.ts';

/** Detects from log lines that the databases have no space left. */
export interface Space {
  /** Reads each line of the log. */
  readonly read: Log;
  /** Reports whether the request failed for lack of space. Each request can be queried once. */
  failed(requestId: string): boolean;
  /** Describes the failure and how to fix it. */
  readonly sentence: string;
  /** Resolves at the first failure, with the sentence. */
  readonly ended: Promise<string>;
}

/** SQLite's message in the engine and in this process. */
const noSpace = /database or disk is full/;

export const watchSpace = (dataDir: string | undefined): Space => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const failed = new Set<unknown>();
  const sentence =
    dataDir === undefined
      ? 'Shared memory (/dev/shm) is full, so nothing more can be written: start the service again, give it more (in Docker --shm-size=1g), or keep state on disk with --data DIR.'
      : `The disk of the data directory ${dataDir} is full, so nothing more can be written: free some space.`;
  return {
    sentence,
    ended: promise,
    read(line) {
      if (!noSpace.test(JSON.stringify(line['error'] ?? ''))) return;
      failed.add(line['rid']);
      resolve(sentence);
    },
    failed: (requestId) => failed.delete(requestId),
  };
};
