import { actIn, type Journey } from '../support/journey.ts';
import { faultsOf, openApi } from '../support/openapi.ts';
import { type Language, responseOf, sampleOf, sectionOf } from './page.ts';

interface Operation {
  readonly id: string;
  readonly page: string;
  /** Samples that need a registered endpoint first. */
  readonly ofEndpoint: boolean;
  readonly schema: unknown;
}

/** In the order of the pages; operations that delete a record that others use come last. */
export const operations: readonly Operation[] = Object.entries<any>(openApi.paths)
  .flatMap(([path, item]) => Object.entries<any>(item).map(([method, operation]) => ({ path, method, operation })))
  .filter(({ operation }) => operation.operationId)
  .sort((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'))
  .map(({ path, operation }) => ({
    id: operation.operationId,
    page: `reference/${operation.tags[0].toLowerCase().replace(' ', '-')}/`,
    ofEndpoint: path.startsWith('/webhooks/'),
    schema: Object.entries<any>(operation.responses).find(([status]) => status.startsWith('2'))?.[1].content['application/json'].schema,
  }));

/** A page of the site, with the service. */
export const servedPage = async ({ runtime, request }: Journey, path: string): Promise<string> =>
  (await request(`${runtime.urls.us}/docs/${path}`, 'GET')).text;

const freeFields = ['custom_fields', 'metadata', 'delivery_address'];

/**
 * Returns the differences of two responses in fields and types. Null matches a value of any type,
 * an empty list any list.
 */
const shapeDifferences = (printed: unknown, real: unknown, path = ''): string[] => {
  if (printed === null || real === null) return [];
  if (typeof printed !== typeof real || Array.isArray(printed) !== Array.isArray(real))
    return [`${path}: ${typeof printed}, ${typeof real}`];
  if (typeof printed !== 'object' || typeof real !== 'object') return [];
  if (Array.isArray(printed) && Array.isArray(real))
    return printed.length > 0 && real.length > 0 ? shapeDifferences(printed[0], real[0], `${path}/0`) : [];
  const [ours, theirs] = [printed as Record<string, unknown>, real as Record<string, unknown>];
  const missing = Object.keys({ ...ours, ...theirs }).filter((name) => name in ours !== name in theirs);
  return [
    ...missing.map((name) => `${path}/${name} is on one side only`),
    ...Object.keys(ours).flatMap((name) =>
      freeFields.includes(name) ? [] : shapeDifferences(ours[name], theirs[name], `${path}/${name}`),
    ),
  ];
};

/** Runs programs in order and returns the output of each: a value, or an error's body. */
export type Runner = (programs: readonly string[]) => Promise<readonly any[]>;

const differencesOf = ({ id, schema }: Operation, section: string, response: any): readonly string[] =>
  [...faultsOf(schema, response), ...shapeDifferences(responseOf(section), response)].map((fault) => `${id}: ${fault}`);

/**
 * Runs every sample of a language as the service's pages print it, and returns the differences from
 * the printed responses.
 */
export const playSamples = async (journey: Journey, language: Language, runAll: Runner): Promise<readonly string[]> => {
  const play = async (played: readonly Operation[]) => {
    const names = [...new Set(played.map(({ page }) => page))];
    const pages = new Map(await Promise.all(names.map(async (page) => [page, await servedPage(journey, page)] as const)));
    const sections = played.map(({ id, page }) => sectionOf(pages.get(page) ?? '', id));
    const responses = await runAll(sections.map((section) => sampleOf(section, language)));
    return { responses, differences: played.flatMap((operation, i) => differencesOf(operation, sections[i] ?? '', responses[i])) };
  };
  const first = operations.filter(({ ofEndpoint }) => !ofEndpoint);
  const { responses, differences } = await play(first);
  const endpoint = responses[first.findIndex(({ id }) => id === 'createWebhook')];
  const changes = { id: endpoint?.id, url: journey.receiver.hook().url };
  await actIn(journey.runtime, 'us', 'webhook.update', changes, journey.runtime.demo.us?.account);
  // The page has the endpoint's id now.
  const others = await play(operations.filter(({ ofEndpoint }) => ofEndpoint));
  return [...differences, ...others.differences];
};
