import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { awsClientOf } from '../../../lib/aws-clients.ts';
import { resolveQuickly } from '../../../local/modules.ts';
import { mutants } from '../mutants/mutants.ts';
import { mutate } from '../mutants/mutate.ts';
import type { Message, Task } from './task.ts';

/** A thread that plays scenarios, one after another: each owns the clock, the timers and the chance of all of it. */

const { mutant } = workerData as { readonly mutant: string | undefined };
// Every mutant loads all of the source once more: what was compiled before is half of its time.
enableCompileCache(fileURLToPath(new URL('../../../.local/simulation/compiled', import.meta.url)));
resolveQuickly(awsClientOf(process.env));
const fault = mutants.find(({ name }) => name === mutant);
if (fault) mutate(fault);
const { play } = await import('../scenario.ts');

/** A scenario that never ends writes for ever; nobody reads that much. */
const mostLines = 200_000;
const stackFrames = Error.stackTraceLimit;
const say = (message: Message): void => parentPort?.postMessage(message);

parentPort?.on('message', async ({ seed, level, leftOut, onlyAccidents, traced }: Task) => {
  // Nobody reads the stacks of errors that are part of the game, and they take a tenth of the time.
  Error.stackTraceLimit = traced ? stackFrames : 0;
  let lines = 0;
  const write = (line: string): void => {
    lines += 1;
    if (lines <= mostLines) say({ line });
  };
  const played = await play({
    ...{ seed, level, leftOut: new Set(leftOut), onlyAccidents: onlyAccidents ? new Set(onlyAccidents) : undefined },
    write: traced ? write : undefined,
  });
  const { breach, deeds, accidents, virtualMs, checked, figures } = played;
  say({
    outcome: {
      ...{ seed, breach, deeds, met: accidents.met, calls: accidents.calls, virtualMs },
      ...{ accidents: Object.fromEntries(accidents.tally), laws: Object.fromEntries(checked), figures },
    },
  });
});
