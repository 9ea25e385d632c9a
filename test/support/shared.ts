import { afterAll, beforeAll } from '@jest/globals';

interface Stoppable {
  stop(): Promise<unknown>;
}

/**
 * Starts what the tests of a file share before the first of them, and stops it after the last. Call
 * at the top of the file. The object has its fields once the tests run.
 */
export const shared = <Started extends Stoppable>(start: () => Promise<Started>): Started => {
  const started = {} as Started;
  beforeAll(async () => {
    Object.assign(started, await start());
  });
  afterAll(() => started.stop());
  return started;
};
