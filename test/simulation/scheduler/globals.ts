import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import type { Scheduler, Timer } from './scheduler.ts';

type Names = Record<string, unknown>;

/** Whether Stripe's library is among the innermost callers. Enables stacks only for this check. */
const isStripesLibrary = (): boolean => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 4;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return stack.includes('/node_modules/stripe/');
};

/**
 * Blocks the real clock and real random numbers during a scenario: the product receives both as
 * services, and any other use throws. Timers are the scenario's, because libraries set some. The
 * returned function restores everything.
 */
export const takeGlobals = (scheduler: Scheduler): (() => void) => {
  const taken: [Names, string, unknown][] = [];
  const put = (owner: object, name: string, value: unknown): void => {
    taken.push([owner as Names, name, (owner as Names)[name]]);
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  };
  const forbidCalls = (owner: object, ...names: readonly string[]): void => {
    for (const name of names)
      put(owner, name, () => {
        throw new Error(`Somebody calls the real ${name}.`);
      });
  };

  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Timer & object =>
    Object.assign(
      scheduler.after(ms, () => run(...args)),
      { unref() {}, ref() {} },
    );
  const clearTimer = (timer: Timer | undefined): void => timer?.cancel();
  /**
   * Stripe's library uses the clock and random numbers for its waits. It receives the scenario's.
   */
  const lend = (owner: object, name: string, give: () => number): void =>
    put(owner, name, () => {
      if (isStripesLibrary()) return give();
      throw new Error(`Somebody calls the real ${name}.`);
    });

  lend(Math, 'random', () => 0.5);
  lend(Date, 'now', scheduler.now);
  forbidCalls(crypto, 'randomBytes', 'randomInt');
  forbidCalls(globalThis.crypto, 'randomUUID', 'getRandomValues');
  // The AWS clients create random tokens.
  const random = scheduler.stream('tokens of clients');
  put(crypto, 'randomUUID', () => Buffer.from(random.bytes(16)).toString('hex'));
  forbidCalls(timersPromises, 'setTimeout');
  for (const owner of [globalThis, timers]) {
    put(owner, 'setTimeout', setTimer);
    put(owner, 'clearTimeout', clearTimer);
  }
  syncBuiltinESMExports();

  return () => {
    for (const [owner, name, value] of taken.reverse()) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    syncBuiltinESMExports();
  };
};
