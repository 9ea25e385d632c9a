import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deliveryHeaders, newSecret } from '../../shared/webhooks/signing.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun } from '../deploy/children.ts';
import { sampleOf } from '../docs/page.ts';
import { playSamples, servedPage } from '../docs/samples.ts';
import { startJourney } from '../support/journey.ts';
import { openApi } from '../support/openapi.ts';

/**
 * Runs programs in order, each on its own, and prints their output, or the body of what they
 * raised, as one JSON list.
 */
const runner = `
import json, sys
printed = []
for code, deliveries in json.load(open(sys.argv[1])):
    names = {"print": printed.append, "__name__": "sample"}
    try:
        exec(compile(code, "sample", "exec"), names)
        for body, headers in deliveries:
            names["receive"](body.encode(), headers)
    except Exception as error:
        printed.append(getattr(error, "body", None) or {"raised": repr(error)})
json.dump(printed, sys.stdout)
`;

/** The samples of the reference, as the local service prints them. */
export const checkReference = async (check: Check, python: string, folder: string): Promise<void> => {
  const journey = await startJourney({ regions: ['us'], seed: true });
  const secret = newSecret({ bytes: (size) => Buffer.alloc(size, 1) });
  const run = async (programs: readonly (readonly [code: string, deliveries: readonly unknown[]])[]): Promise<any[]> => {
    await writeFile(join(folder, 'programs.json'), JSON.stringify(programs));
    const env = { ...process.env, BAKERY_WEBHOOK_SECRET: secret };
    return JSON.parse((await mustRun(python, ['-c', runner, join(folder, 'programs.json')], { env })).stdout);
  };
  try {
    await check('every operation: it runs as it is printed, and answers as the page says', async () => {
      const wrong = await playSamples(journey, 'python', (programs) => run(programs.map((code) => [code, []])));
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
    });

    await check('every event: its receiver takes what was signed, and prints its object', async () => {
      const events = Object.entries<any>(openApi.webhooks).map(([type, { post }]) => ({
        type,
        event: post.requestBody.content['application/json'].examples[type].value,
      }));
      const programs = events.map(async ({ type, event }) => {
        const body = JSON.stringify(event);
        const headers = deliveryHeaders({ eventId: event.id, secret, nowMs: Date.now(), body });
        return [sampleOf(await servedPage(journey, `events/${type}/`), 'python'), [[body, headers]]] as const;
      });
      const printed = await run(await Promise.all(programs));
      const wrong = events.filter(({ event }, i) => JSON.stringify(printed[i]) !== JSON.stringify(event.data.object));
      if (wrong.length > 0) throw new Error(wrong.map(({ type }) => type).join(', '));
    });
  } finally {
    await journey.stop();
  }
};
