import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<AbortSignal>();

/**
 * Returns a handler for Middy whose work stores nothing after Middy's early time-out. Lambda freezes
 * a process that has responded, and its next invocation, perhaps hours later, goes on with the work.
 * That would store what was decided from old records.
 */
export const untilTimeout =
  <Event, Result>(work: (event: Event) => Promise<Result>) =>
  (event: Event, _context: unknown, { signal }: { readonly signal: AbortSignal }): Promise<Result> =>
    running.run(signal, work, event);

/** Throws if the invocation that calls it has timed out. */
export const assertInTime = (): void => running.getStore()?.throwIfAborted();
