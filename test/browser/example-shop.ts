import type { Browser } from 'playwright-core';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import { type Example, openExample } from '../examples/example.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { launch } from './browser.ts';

/** The example's shop beside a service whose clock only the tests move, and a browser. */
export interface ExampleShop {
  readonly browser: Browser;
  readonly runtime: Runtime;
  readonly clock: TestClock;
  readonly example: Example;
  stop(): Promise<void>;
}

export const startExampleShop = async (options: RuntimeOptions = {}): Promise<ExampleShop> => {
  const clock = createClock(Date.now());
  const [browser, runtime] = await Promise.all([launch(), startRuntime({ regions: ['us'], seed: true, clock, ...options })]);
  const example = await openExample(process.execPath, 'examples/storefront/server.ts', { PORT: '0', BAKERY_PORT: String(runtime.port) });
  return {
    browser,
    runtime,
    clock,
    example,
    async stop() {
      await browser.close();
      await example.stop();
      await runtime.stop();
    },
  };
};
