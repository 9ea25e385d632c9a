import type { Place } from '../local/gateway/own-endpoints.ts';
import type { Region } from '../shared/core/regions.ts';
import { type ActionEvent, failure, noAnswer, parseAnswer, reasonOf, resultOf } from './answer.ts';
import type { Target } from './arguments.ts';

// Imported, `node:http` would bring all of fetch for the names that it passes on: more than the rest of an action's time.
const { request: httpRequest } = process.getBuiltinModule('node:http');

const timeoutMs = 60_000; // the function's own

const placeOf = (port: number): string => `127.0.0.1:${port}`;

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
        })
        .once('error', reject)
        .once('end', () => resolve(text));
    });
    request.end(body);
  });

/** What the local service answers on a path of its own; throws the sentence to say where there is none. */
const askLocal = async (port: number, request: LocalRequest): Promise<Record<string, unknown>> => {
  const text = await exchange(port, request).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw failure(`No service answers on ${placeOf(port)} (${reasonOf(cause)}); start it with npm start, or name its --port.`, error);
  });
  return parseAnswer(text, placeOf(port));
};

/**
 * Runs one action at the target; throws the service's refusal, or `internal_error` if nothing answers. Without a signal, a local call ends
 * after a minute.
 */
export const invoke = async (
  target: Target,
  region: Region,
  event: ActionEvent,
  env: Readonly<Record<string, string | undefined>>,
  signal?: AbortSignal,
): Promise<unknown> => {
  // Only a stack needs the client, which takes longer to load than all the rest.
  if ('stack' in target) return (await import('./deployed.ts')).invokeDeployed(target.stack, region, event, env, signal);
  const body = JSON.stringify({ region, ...event });
  return resultOf(await askLocal(target.port, { path: '/_local/actions', method: 'POST', body, signal }), placeOf(target.port));
};

/** The regions of the local service with their demo accounts. */
export const localPlaces = async (port: number, signal?: AbortSignal): Promise<readonly Place[]> => {
  const { places } = await askLocal(port, { path: '/_local/places', method: 'GET', signal });
  if (!Array.isArray(places)) throw failure(noAnswer(placeOf(port)));
  return places;
};

type Invoke = (input: unknown) => Promise<unknown>;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lists of a page behind those of the pages before it; its other members replace theirs. */
const joined = (before: Record<string, unknown>, page: Record<string, unknown>): Record<string, unknown> => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(page).map(([name, value]) => {
      const list = before[name];
      return [name, Array.isArray(list) && Array.isArray(value) ? [...list, ...value] : value];
    }),
  ),
});

/** Calls again, as long as an erasure asks for it. */
const eraseToTheEnd = async (invoke: Invoke, input: unknown): Promise<unknown> => {
  for (;;) {
    const result = await invoke(input);
    if (!isObject(result) || result['erased'] !== false) return result;
  }
};

/** All pages as one document, unless the caller asked for one by its cursor. */
const exportToTheEnd = async (invoke: Invoke, given: unknown): Promise<unknown> => {
  let result = await invoke(given);
  const input = isObject(given) ? given : {};
  if (input['cursor'] != null) return result;
  while (isObject(result) && result['has_more'] === true) {
    const page = await invoke({ ...input, cursor: result['next_cursor'] });
    result = isObject(page) ? joined(result, page) : page;
  }
  return result;
};

const manners: Readonly<Record<string, typeof eraseToTheEnd>> = {
  'account.erase': eraseToTheEnd,
  'account.export': exportToTheEnd,
  'customer.erase': eraseToTheEnd,
};

/** Runs an action to its end where one call does a part of it: a function is cut off after a minute and answers with 6 MB at most. */
export const follow = (action: string, invoke: Invoke, input: unknown): Promise<unknown> =>
  manners[action]?.(invoke, input) ?? invoke(input);
