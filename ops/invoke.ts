import { isDeepStrictEqual } from 'node:util';
import type { LocalRegion } from '../local/gateway/own-endpoints.ts';
import type { Region } from '../shared/core/config.ts';
import type { Target } from './arguments.ts';
import { type ActionEvent, createCursorCheck, failure, noResponseMessage, parseResponse, reasonOf, resultOf } from './response.ts';

// An import of `node:http` would also load fetch, which takes longer than everything else.
const { request: httpRequest } = process.getBuiltinModule('node:http');

const timeoutMs = 60_000; // the limit of the deployed function

/** Maximum characters of a response, more than the 6 MB that a function returns. */
const maxResponseCharacters = 16_000_000;

const addressOf = (port: number): string => `127.0.0.1:${port}`;

interface LocalRequest {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly signal: AbortSignal | undefined;
}

const exchange = (port: number, { path, method, body, signal = AbortSignal.timeout(timeoutMs) }: LocalRequest): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false, signal });
    request.once('error', reject);
    request.once('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
          // Another program may use the port, so its response need not end.
          if (text.length > maxResponseCharacters) request.destroy(new Error('its response is too long'));
        })
        .once('error', reject)
        .once('end', () => resolve(text));
    });
    request.end(body);
  });

/** Sends a request to the local service. Throws if no service responds. */
const askLocal = async (port: number, request: LocalRequest): Promise<Record<string, unknown>> => {
  const text = await exchange(port, request).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw failure(
      `The service at http://${addressOf(port)} cannot be reached (${reasonOf(cause)}). Start it with npm start, or name its --port.`,
      error,
    );
  });
  return parseResponse(text, addressOf(port));
};

/**
 * Runs an action at the target. Throws the service's error, or `internal_error` if the target does
 * not respond. Without a signal, a local call ends after a minute.
 */
export const invoke = async (
  target: Target,
  region: Region,
  event: ActionEvent,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<unknown> => {
  // The AWS client takes longer to load than all other code, so it loads only for a stack.
  if ('stack' in target) return (await import('./deployed.ts')).invokeDeployed(target.stack, region, event, env, signal);
  const body = JSON.stringify({ region, ...event });
  return resultOf(await askLocal(target.port, { path: '/_local/actions', method: 'POST', body, signal }), addressOf(target.port));
};

/** Returns the regions of the local service with their demo accounts. */
export const listLocalRegions = async (port: number, signal?: AbortSignal): Promise<readonly LocalRegion[]> => {
  const { places } = await askLocal(port, { path: '/_local/places', method: 'GET', signal });
  if (!Array.isArray(places)) throw failure(noResponseMessage(addressOf(port)));
  return places;
};

/**
 * Calls the action with an input. Calls for further pages have a number from 1, because each needs
 * its own token.
 */
export type Invoke = (input: unknown, page?: number) => Promise<unknown>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Equal responses in a row after which an erasure makes no progress. */
const maxEqualRepeats = 3;

/**
 * Repeats the call until the erasure is complete, or until it makes no progress, for example because
 * a payment must end first. The caller then repeats the command later.
 */
const eraseToTheEnd = async (invoke: Invoke, input: unknown): Promise<unknown> => {
  let before: unknown;
  for (let equal = 0; ; ) {
    const result = await invoke(input);
    if (!isObject(result) || result['erased'] !== false) return result;
    // The fields of a stored map come in any order.
    equal = isDeepStrictEqual(result, before) ? equal + 1 : 1;
    if (equal === maxEqualRepeats) return result;
    before = result;
  }
};

/** How the pages of an action become one result. */
interface Paging {
  /** Fields by which an input asks for one page only. */
  readonly onePage: readonly string[];
  /** Counts to add up. Lists are appended; other fields are those of the last page. */
  readonly counts: readonly string[];
  /** Describes the progress before the next page. */
  readonly progress?: (result: Record<string, unknown>) => string;
}

const paged: Readonly<Record<string, Paging>> = {
  'account.export': { onePage: ['cursor'], counts: [] },
  'account.reindex': { onePage: [], counts: ['read', 'written'] },
  'search.reindex': { onePage: [], counts: ['sent', 'removed'] },
  'customer.export': { onePage: ['cursor'], counts: [] },
  'webhook.redeliver_failed': {
    onePage: ['cursor', 'limit'],
    counts: ['redelivered'],
    progress: ({ redelivered, left, left_or_more: more }) => `Redelivered ${redelivered}; ${left}${more ? ' or more' : ''} left.`,
  },
};

const joined = (before: Record<string, unknown>, page: Record<string, unknown>, counts: readonly string[]): Record<string, unknown> => {
  const join = (name: string, value: unknown): unknown => {
    const earlier = before[name];
    if (Array.isArray(earlier) && Array.isArray(value)) return [...earlier, ...value];
    return counts.includes(name) ? Number(earlier) + Number(value) : value;
  };
  return { ...before, ...Object.fromEntries(Object.entries(page).map(([name, value]) => [name, join(name, value)])) };
};

/** Returns all pages as one result. Throws if a cursor comes twice. */
const joinPages = async ({ onePage, counts, progress }: Paging, invoke: Invoke, input: unknown, report: Report): Promise<unknown> => {
  let result = await invoke(input);
  const inputFields = isObject(input) ? input : {};
  if (onePage.some((name) => inputFields[name] != null)) return result;
  const check = createCursorCheck();
  for (let number = 1; isObject(result) && result['next_cursor'] != null; number++) {
    if (progress) report(progress(result));
    const cursor = result['next_cursor'];
    check(cursor);
    const page = await invoke({ ...inputFields, cursor }, number);
    result = isObject(page) ? joined(result, page, counts) : page;
  }
  return result;
};

type Report = (line: string) => void;

/**
 * Repeats an action that does only a part per call: a function runs at most a minute and returns at
 * most 6 MB.
 */
export const follow = async (action: string, invoke: Invoke, input: unknown, report: Report = () => {}): Promise<unknown> => {
  if (action === 'account.erase' || action === 'customer.erase') return eraseToTheEnd(invoke, input);
  const paging = paged[action];
  return paging ? joinPages(paging, invoke, input, report) : invoke(input);
};
