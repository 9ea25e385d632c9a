import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allRoutes } from '../../lib/groups.ts';
import { collectionOf, collectionPath } from '../../openapi/collection.ts';
import { actIn, type Journey, startJourney } from '../support/journey.ts';
import { openApi } from '../support/openapi.ts';

interface Item {
  readonly name: string;
  readonly event?: readonly { readonly listen: 'prerequest' | 'test'; readonly script: { readonly exec: readonly string[] } }[];
  readonly request: {
    readonly method: string;
    readonly auth: { readonly bearer: readonly [{ readonly value: string }] };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly url: { readonly raw: string };
    readonly body?: { readonly raw: string };
  };
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly item: readonly Item[] }[];
}

const committed = readFileSync(collectionPath, 'utf8');
const collection = JSON.parse(committed) as Collection;

let journey: Journey;
beforeAll(async () => {
  journey = await startJourney({ regions: ['us'], seed: true });
});
afterAll(() => journey.stop());

test('the committed collection is made of the document (npm run openapi)', () => {
  expect(`${JSON.stringify(collectionOf(openApi as never), null, 2)}\n`).toBe(committed);
});

test('from top to bottom every request of it succeeds, each operation once', async () => {
  const { runtime } = journey;
  const demo = runtime.demo.us;
  const settings = await actIn(runtime, 'us', 'settings.get', {}, demo?.account);
  const search = { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only-key' };
  await actIn(runtime, 'us', 'settings.put', { ...settings, search }, demo?.account);

  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('base_url', `${runtime.urls.us}/api/v2`);
  variables.set('secret_key', demo?.secretKey ?? '');
  variables.set('publishable_key', demo?.publishableKey ?? '');
  variables.set('webhook_url', journey.receiver.hook().url);
  variables.set('$guid', 'a-guid').set('$timestamp', '1795262400');
  /** As Postman does; what nothing has set stays as it is written, and is refused by the service. */
  const filled = (text: string) => text.replaceAll(/\{\{(\$?\w+)\}\}/g, (as, name) => variables.get(name) ?? as);

  const play = ({ event = [] }: Item, when: 'prerequest' | 'test', body?: unknown) => {
    const pm = {
      response: { json: () => body },
      collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    };
    for (const { listen, script } of event) if (listen === when) new Function('pm', script.exec.join('\n'))(pm);
  };

  const refused: string[] = [];
  const items = collection.item.flatMap(({ item }) => item);
  for (const [at, item] of items.entries()) {
    const { name, request } = item;
    play(item, 'prerequest');
    variables.set('$guid', `guid-${at}`);
    const answer = await journey.request(filled(request.url.raw), request.method, {
      key: filled(request.auth.bearer[0].value),
      headers: Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)])),
      ...(request.body && { body: filled(request.body.raw) }),
    });
    if (answer.status >= 300) refused.push(`${name}: ${answer.status} ${answer.text}`);
    play(item, 'test', answer.body);
  }
  expect(refused).toEqual([]);
  expect(items).toHaveLength(allRoutes.length);
});
