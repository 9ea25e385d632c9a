import { type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import { openExample } from '../examples/example.ts';
import { createClock } from '../support/clock.ts';
import { launch } from './browser.ts';

/** The example's shop beside a service whose clock only the tests move, and a browser. */
export const startExampleShop = async (options: RuntimeOptions = {}) => {
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
