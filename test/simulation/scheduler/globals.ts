import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import type { Scheduler, Timer } from './scheduler.ts';

type Names = Record<string, unknown>;

/**
 * While a scenario runs, what some of the product still reads for itself comes from the scenario: time, waiting and chance. The real clock
 * is refused. Gives everything back when it is called.
 */
export const takeGlobals = (scheduler: Scheduler): (() => void) => {
  const taken: [Names, string, unknown][] = [];
  const put = (owner: object, name: string, value: unknown): void => {
    taken.push([owner as Names, name, (owner as Names)[name]]);
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
  };
  const random = scheduler.stream('globals');

  const setTimer = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Timer & object =>
    Object.assign(
      scheduler.after(ms, () => run(...args)),
      { unref() {}, ref() {} },
    );
  const clearTimer = (timer: Timer | undefined): void => timer?.cancel();
  const bytes = (count: number): Buffer => Buffer.from(random.bytes(count));
  const uuid = (): string => {
    const text = bytes(16).toString('hex');
    return [text.slice(0, 8), text.slice(8, 12), `4${text.slice(13, 16)}`, `8${text.slice(17, 20)}`, text.slice(20)].join('-');
  };
  /** Stripe's library measures how long it waits: what others wrote, the scenario's clock is for, too. */
  const clock = (): number => {
    if (new Error().stack?.includes('/node_modules/stripe/')) return scheduler.now();
    throw new Error('Somebody reads the real clock.');
  };

  put(Math, 'random', random.next);
  put(Date, 'now', clock);
  put(crypto, 'randomUUID', uuid);
  put(crypto, 'randomBytes', bytes);
  put(globalThis.crypto, 'randomUUID', uuid);
  put(globalThis.crypto, 'getRandomValues', (into: Uint8Array) => {
    into.set(random.bytes(into.length));
    return into;
  });
  for (const owner of [globalThis, timers]) {
    put(owner, 'setTimeout', setTimer);
    put(owner, 'clearTimeout', clearTimer);
  }
  put(timersPromises, 'setTimeout', (ms = 0, value?: unknown) => scheduler.sleep(ms).then(() => value));
  syncBuiltinESMExports();

  return () => {
    for (const [owner, name, value] of taken.reverse()) Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    syncBuiltinESMExports();
  };
};
