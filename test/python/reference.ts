import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { mustRun } from '../deploy/children.ts';
import { sampleOf, sectionOf } from '../docs/page.ts';
import { actIn } from '../support/journey.ts';
import { openApi } from '../support/openapi.ts';
import type { Place } from './place.ts';

interface Operation {
  readonly id: string;
  readonly page: string;
  /** About an endpoint that has to be registered first. */
  readonly ofEndpoint: boolean;
}

/** In the order of the pages, where what ends the others' record comes last. */
const operations: readonly Operation[] = Object.entries<any>(openApi.paths)
  .flatMap(([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })))
  .filter(({ operation }) => operation.operationId)
  .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
  .map(({ path, operation }) => ({
    id: operation.operationId,
    page: `reference/${operation.tags[0].toLowerCase().replace(' ', '-')}/`,
    ofEndpoint: path.startsWith('/webhooks/'),
  }));

/** What the demo account of a fresh service may be without, so that the sample ends with this refusal. */
const mayBeRefused: Readonly<Record<string, string>> = { createSearchToken: 'search_not_configured' };

/** Runs programs one after the other as if each were started alone, and tells for each what it raised: the code of a refusal, or a trace. */
const driver = `
import contextlib, io, json, sys, traceback
from bakery_commerce import ApiError

def play(code):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "sample.py", "exec"), {"__name__": "__main__"})
        return None if printed.getvalue() else "It printed nothing."
    except ApiError as error:
        return error.code
    except Exception:
        return traceback.format_exc()

json.dump([play(code) for code in json.load(open(sys.argv[1]))], sys.stdout)
`;

/** Every sample in Python of the reference's operations, as the running service prints it, keys and all. */
export const checkReference = async (check: Check, python: string, folder: string, place: Place): Promise<void> => {
  await writeFile(join(folder, 'driver.py'), driver);
  const play = async (played: readonly Operation[]): Promise<void> => {
    const codes = await Promise.all(
      played.map(async ({ id, page }) => {
        const html = await (await fetch(`${place.runtime.urls.us}/docs/${page}`)).text();
        return sampleOf(sectionOf(html, id), 'python');
      }),
    );
    const file = join(folder, 'reference.json');
    await writeFile(file, JSON.stringify(codes));
    const { stdout } = await mustRun(python, [join(folder, 'driver.py'), file]);
    const raised = JSON.parse(stdout) as readonly (string | null)[];
    for (const [at, { id }] of played.entries())
      await check(id, async () => {
        const wrong = raised[at];
        if (wrong !== null && wrong !== mayBeRefused[id]) throw new Error(`${codes[at]}\n${wrong}`);
      });
  };
  await play(operations.filter(({ ofEndpoint }) => !ofEndpoint));
  const account = place.runtime.demo.us?.account ?? '';
  const { data } = await actIn(place.runtime, 'us', 'webhook.list', {}, account);
  // Nobody out there is sent the test event.
  await actIn(place.runtime, 'us', 'webhook.update', { id: data[0].id, url: 'http://127.0.0.1:9/' }, account);
  await play(operations.filter(({ ofEndpoint }) => ofEndpoint));
};
