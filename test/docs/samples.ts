import { actIn, type Journey } from '../support/journey.ts';
import { faultsOf, openApi } from '../support/openapi.ts';
import { answerOf, type Language, sampleOf, sectionOf } from './page.ts';

interface Operation {
  readonly id: string;
  readonly page: string;
  /** About an endpoint that has to be registered first. */
  readonly ofEndpoint: boolean;
  readonly schema: unknown;
}

/** In the order of the pages, with operations that delete a record last. */
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

/** A page of the site beside the service. */
export const servedPage = async ({ runtime, request }: Journey, path: string): Promise<string> =>
  (await request(`${runtime.urls.us}/docs/${path}`, 'GET')).text;

const freeMembers = ['custom_fields', 'metadata', 'delivery_address'];

/**
 * Returns where two responses differ in fields and types; null stands for a value of any type, an
 * empty list for a list of anything.
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
      freeMembers.includes(name) ? [] : shapeDifferences(ours[name], theirs[name], `${path}/${name}`),
    ),
  ];
};

/** Runs programs in their order, and gives what each printed: a value, or the body of a refusal. */
export type Runner = (programs: readonly string[]) => Promise<readonly any[]>;

const differencesOf = ({ id, schema }: Operation, section: string, answer: any): readonly string[] =>
  [...faultsOf(schema, answer), ...shapeDifferences(answerOf(section), answer)].map((fault) => `${id}: ${fault}`);

/** Runs every sample of a language as the pages of the service print it, and says what came otherwise than they say. */
export const playSamples = async (journey: Journey, language: Language, runAll: Runner): Promise<readonly string[]> => {
  const play = async (played: readonly Operation[]) => {
    const names = [...new Set(played.map(({ page }) => page))];
    const pages = new Map(await Promise.all(names.map(async (page) => [page, await servedPage(journey, page)] as const)));
    const sections = played.map(({ id, page }) => sectionOf(pages.get(page) ?? '', id));
    const answers = await runAll(sections.map((section) => sampleOf(section, language)));
    return { answers, differences: played.flatMap((operation, i) => differencesOf(operation, sections[i] ?? '', answers[i])) };
  };
  const first = operations.filter(({ ofEndpoint }) => !ofEndpoint);
  const { answers, differences } = await play(first);
  const endpoint = answers[first.findIndex(({ id }) => id === 'createWebhook')];
  const changes = { id: endpoint?.id, url: journey.receiver.hook().url };
  await actIn(journey.runtime, 'us', 'webhook.update', changes, journey.runtime.demo.us?.account);
  // The page knows the endpoint now.
  const others = await play(operations.filter(({ ofEndpoint }) => ofEndpoint));
  return [...differences, ...others.differences];
};
