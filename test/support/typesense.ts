import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { serve } from './serve.ts';

type Document = Readonly<Record<string, unknown>> & { readonly id: string };

/** The parameters of a search that this stand-in knows. */
interface Parameters {
  readonly filter_by?: string;
  /** `id:position`, separated by commas. */
  readonly pinned_hits?: string;
  readonly filter_curated_hits?: boolean;
}

/** A request as the engine got it. */
export interface EngineRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

/**
 * Stands in for a Typesense server over its HTTP API, as far as documents go: upsert, delete and a
 * list by filter under an admin key. Other searches are made in the process, with a scoped key that is judged as the
 * engine judges one.
 */
export interface SearchEngine {
  /** As an account's settings name it. */
  readonly host: string;
  readonly requests: readonly EngineRequest[];
  documents(collection: string): readonly Document[];
  /** Stores a document that the service did not write. */
  put(collection: string, document: Document): void;
  /**
   * Searches with a scoped key made with `searchKey`, and the parameters that a visitor adds. Throws
   * if the key is forged or expired.
   */
  search(collection: string, scopedKey: string, searchKey: string, nowMs: number, added?: Parameters): readonly Document[];
  /** Stands before a request: it may wait, or answer with a status of its own. */
  gate(gate: ((request: IncomingMessage) => Promise<number | undefined>) | undefined): void;
  stop(): Promise<void>;
}

const digestLength = 44;
const prefixLength = 4;

/** Conditions `field:=value` joined by `&&`. */
const matches = (document: Document, filter: string): boolean =>
  filter.split(' && ').every((condition) => {
    const [field = '', value] = condition.split(':=');
    return String(document[field]) === value;
  });

export const startSearchEngine = async (adminKey: string, collections: readonly string[]): Promise<SearchEngine> => {
  const stored = new Map(collections.map((name) => [name, new Map<string, Document>()]));
  const requests: EngineRequest[] = [];
  let gate: (request: IncomingMessage) => Promise<number | undefined> = async () => undefined;

  /** Returns a page of all documents that a filter matches. */
  const searchPage = (documents: readonly Document[], parameters: URLSearchParams) => {
    const [page, size] = [Number(parameters.get('page') ?? 1), Number(parameters.get('per_page') ?? 10)];
    const found = documents.filter((document) => matches(document, parameters.get('filter_by') ?? ''));
    return { found: found.length, hits: found.slice((page - 1) * size, page * size).map(({ id }) => ({ document: { id } })) };
  };

  const responseTo = (method: string, url: URL, body: string): number | object => {
    const [, root, name = '', kind, id] = url.pathname.split('/').map(decodeURIComponent);
    const collection = stored.get(name);
    if (root !== 'collections' || kind !== 'documents' || !collection) return 404;
    if (method === 'POST' && id === undefined && url.searchParams.get('action') === 'upsert') {
      const document = JSON.parse(body) as Document;
      collection.set(document.id, document);
      return 201;
    }
    if (method === 'GET' && id === 'search' && url.searchParams.get('q') === '*')
      return searchPage([...collection.values()], url.searchParams);
    return method === 'DELETE' && id !== undefined && collection.delete(id) ? 200 : 404;
  };

  const { url: host, stop } = await serve(async (request, response, body) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const forced = await gate(request);
    const allowed = request.headers['x-typesense-api-key'] === adminKey;
    const done = forced ?? (allowed ? responseTo(request.method ?? '', url, String(body)) : 401);
    const status = typeof done === 'number' ? done : 200;
    requests.push({ method: request.method ?? '', path: url.pathname + url.search, status });
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(typeof done === 'number' ? '{}' : JSON.stringify(done));
  });

  return {
    host,
    requests,
    documents: (collection) => [...(stored.get(collection)?.values() ?? [])],
    put: (collection, document) => void stored.get(collection)?.set(document.id, document),
    search(collection, scopedKey, searchKey, nowMs, added = {}) {
      const raw = Buffer.from(scopedKey, 'base64').toString();
      const parameters = raw.slice(digestLength + prefixLength);
      const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
      if (raw !== digest + searchKey.slice(0, prefixLength) + parameters) throw new Error('Forbidden: the key is forged.');
      const embedded = JSON.parse(parameters) as Parameters & { expires_at: number };
      if (embedded.expires_at * 1000 <= nowMs) throw new Error('Forbidden: the key has expired.');
      // The key's parameters replace the visitor's, except the filter, which is joined to the visitor's.
      const filters = [embedded.filter_by, added.filter_by].filter((filter) => filter !== undefined);
      const { pinned_hits = '', filter_curated_hits = false } = { ...added, ...embedded };
      const pinned = pinned_hits.split(',').map((hit) => hit.split(':')[0]);
      const isFound = (document: Document) => filters.every((filter) => matches(document, filter));
      const isPinned = ({ id }: Document) => !filter_curated_hits && pinned.includes(id);
      return [...(stored.get(collection)?.values() ?? [])].filter((document) => isFound(document) || isPinned(document));
    },
    gate(next) {
      gate = next ?? (async () => undefined);
    },
    stop,
  };
};
