import { readFileSync } from 'node:fs';
import { isDeepStrictEqual, promisify } from 'node:util';
import { collectionFile, type PostmanTarget, postmanEnvironment } from '../../pages/docs/postman.ts';
import type { Check } from '../deploy/check.ts';
import { makeCollection } from './collection.ts';
import type { Tools } from './tools.ts';

export const collectionPath = `docs/${collectionFile}`;
export const readDocument = (): unknown => JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

/** Sends requests as Postman does, from top to bottom. Throws with what was not as documented. */
const send = async (newman: Tools['newman'], collection: object, environment: object, folder?: string): Promise<number> => {
  const run = promisify(newman.run.bind(newman)) as (options: object) => Promise<any>;
  const { run: summary } = await run({ collection, environment, ...(folder === undefined ? {} : { folder }) });
  const failures = summary.failures.map(({ source, error }: any) => `${source?.name}: ${error.message}`);
  if (failures.length > 0) throw new Error(failures.join('\n'));
  return summary.stats.requests.total;
};

/** Checks the collection that the docs publish, against a service. */
export const checkPostman = async (check: Check, { postman, newman, ...tools }: Tools, target: PostmanTarget): Promise<void> => {
  const collection = JSON.parse(readFileSync(collectionPath, 'utf8'));
  const environment = JSON.parse(postmanEnvironment('test', target));
  await check(`${collectionPath} is that of the document (npm run postman writes it)`, async () => {
    const made = await makeCollection({ postman, newman, ...tools }, readDocument());
    if (!isDeepStrictEqual(JSON.parse(JSON.stringify(made)), collection)) throw new Error('They differ.');
  });
  const requests: readonly string[] = collection.item.flatMap(({ item }: any) => item.map(({ name }: any) => name));
  await check(`all ${requests.length} requests succeed from top to bottom`, async () => {
    const sent = await send(newman, collection, environment);
    if (sent < requests.length) throw new Error(`Only ${sent} were sent.`);
  });
  // What the run above has deleted.
  await send(newman, collection, environment, 'Register a webhook endpoint');
  for (const name of requests)
    await check(`"${name}" succeeds as the first click`, async () => void (await send(newman, collection, environment, name)));
};
