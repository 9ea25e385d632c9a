import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { resolveQuickly } from '../../../local/modules.ts';
import { openFindings } from '../mutants/faulty-source.ts';
import { mutants } from '../mutants/mutants.ts';
import type { Message, Task } from './task.ts';

/**
 * A thread that plays one scenario after another. Each scenario controls the thread's clock, timers
 * and random numbers.
 */

// Every thread loads the whole source. The compile cache halves the time.
enableCompileCache(fileURLToPath(new URL('../../../.local/simulation/compiled', import.meta.url)));
resolveQuickly();
const addressWith = openFindings();
const sound = await import('../scenario.ts');
const scenarioWith = async (mutant: string | undefined): Promise<typeof sound> =>
  mutant === undefined
    ? sound
    : await import(
        addressWith(
          'test/simulation/scenario.ts',
          mutants.find(({ name }) => name === mutant),
        )
      );

/** Limits the trace of a scenario that never ends. */
const mostLines = 200_000;
const stackFrames = Error.stackTraceLimit;
const say = (message: Message): void => parentPort?.postMessage(message);

parentPort?.on('message', async ({ seed, level, leftOut, onlyFaults, traced, mutant }: Task) => {
  const { play } = await scenarioWith(mutant);
  // Nobody reads stacks of a scenario's errors, and they take a tenth of the time.
  Error.stackTraceLimit = traced ? stackFrames : 0;
  let lines = 0;
  const write = (line: string): void => {
    lines += 1;
    if (lines <= mostLines) say({ line });
  };
  const played = await play({
    ...{ seed, level, leftOut: new Set(leftOut), onlyFaults: onlyFaults ? new Set(onlyFaults) : undefined },
    write: traced ? write : undefined,
  });
  const { breach, actions, faults, virtualMs, checked, figures } = played;
  say({
    outcome: {
      ...{ seed, breach, actions, met: faults.met, calls: faults.calls, virtualMs },
      ...{ faults: Object.fromEntries(faults.tally), invariants: Object.fromEntries(checked), figures },
    },
  });
});
