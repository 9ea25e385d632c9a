import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../shared/core/clock.ts';
import type { Region } from '../shared/core/config.ts';
import type { Settings } from '../shared/domain/account/settings.ts';
import type { Product } from '../shared/domain/product/fields.ts';
import { searchDocument, storefrontLimits } from '../shared/domain/product/search.ts';
import type { Page, PageRequest } from '../shared/table/page.ts';
import type { Store } from '../shared/table/store.ts';
import { readBody } from './gateway/handle.ts';
import { replyJson } from './gateway/replies.ts';
import type { LocalPage, OwnHandler } from './gateway/server.ts';

type Document = ReturnType<typeof searchDocument>;
/** Parameters of a query. */
type Parameters = Readonly<Record<string, string>>;

const searchable: readonly string[] = ['name', 'description', 'category', 'tags', 'variants', 'allergens'] satisfies (keyof Document)[];
const understood: readonly string[] = ['q', 'query_by', 'filter_by', 'sort_by', 'page', 'per_page', 'collection'];
/** A token embeds these parameters, so Typesense ignores the caller's. */
const embedded = ['pinned_hits', 'filter_curated_hits'] as const;
const maxPerPage = 250;

/** Returns lowercase words without accents. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

const valuesOf = (document: Document, field: string): readonly string[] => [document[field as keyof Document]].flat().map(String);

/** Reports whether every query word is a prefix of a word in one of the fields. */
const matcher = ({ q, query_by }: Parameters): ((document: Document) => boolean) => {
  if (q === undefined) throw new SearchError(400, 'Parameter `q` is required.');
  if (q === '*') return () => true;
  const fields = (query_by ?? '').split(',').map((field) => field.trim());
  if (query_by === undefined) throw new SearchError(400, 'No search fields specified for the query.');
  const unknown = fields.find((field) => !searchable.includes(field));
  if (unknown !== undefined) throw new SearchError(404, `Could not find a field named \`${unknown}\` in the schema.`);
  const queryWords = wordsOf(q);
  return (document) => {
    const words = fields.flatMap((field) => valuesOf(document, field)).flatMap(wordsOf);
    return queryWords.every((start) => words.some((word) => word.startsWith(start)));
  };
};

const condition = /^(\w+):=(.+)$/s;
const quoted = /^`([^`]*)`$/;
const plain = /^[^`[(<>!|,]+$/;

/** Parses the search filter, `field:=value` joined by `&&`. A list matches if any value does. */
const filterOf = ({ filter_by }: Parameters): ((document: Document) => boolean) => {
  if (!filter_by) return () => true;
  const conditions = filter_by.split('&&').map((text) => {
    const [, field, valueText = ''] = condition.exec(text.trim()) ?? [];
    const value = quoted.exec(valueText.trim())?.[1] ?? plain.exec(valueText.trim())?.[0];
    if (field === undefined || value === undefined) throw beyondStandIn('it filters by `field:=value` joined by &&.');
    return { field, value };
  });
  return (document) => conditions.every(({ field, value }) => field in document && valuesOf(document, field).includes(value));
};

/** Sorts newest first by default. */
const sorterOf = ({ sort_by = 'created_at:desc' }: Parameters): ((a: Document, b: Document) => number) => {
  const [, field, direction] = /^(created_at|updated_at|price):(asc|desc)$/.exec(sort_by) ?? [];
  if (field === undefined) throw beyondStandIn('it sorts by created_at, updated_at or price, :asc or :desc.');
  const name = field as 'created_at' | 'updated_at' | 'price';
  return (a, b) => (direction === 'asc' ? a[name] - b[name] : b[name] - a[name]);
};

const parseInteger = (name: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new SearchError(400, `Parameter \`${name}\` must be an unsigned integer.`);
  return Number(text);
};

/**
 * Returns the result of a search as Typesense does, without highlights, facets and typo tolerance.
 */
export const find = (documents: readonly Document[], parameters: Parameters) => {
  const startMs = performance.now();
  const known: readonly string[] = [...understood, ...embedded];
  const strange = Object.keys(parameters).find((name) => !known.includes(name));
  if (strange !== undefined) throw beyondStandIn(`it knows ${understood.slice(0, -1).join(', ')}, and no ${strange}.`);
  const page = parseInteger('page', parameters['page'] ?? '1') || 1;
  const perPage = parseInteger('per_page', parameters['per_page'] ?? '10');
  if (perPage > maxPerPage) throw new SearchError(422, `Only upto ${maxPerPage} hits can be fetched per page.`);
  const found = documents.filter(matcher(parameters)).filter(filterOf(parameters)).sort(sorterOf(parameters));
  const { q = '', collection: collection_name } = parameters;
  return {
    facet_counts: [],
    found: found.length,
    hits: found.slice((page - 1) * perPage, page * perPage).map((document) => ({ document, highlight: {}, highlights: [] })),
    out_of: documents.length,
    page,
    request_params: { collection_name, first_q: q, per_page: perPage, q },
    search_cutoff: false,
    search_time_ms: Math.round(performance.now() - startMs),
  };
};

/** An error response in Typesense's format, `{ message }`. */
class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns the error for a feature of Typesense that this replacement lacks. */
const beyondStandIn = (what: string): SearchError => new SearchError(400, `This is a stand-in of Typesense for trying things out: ${what}`);

const digestLength = 44;
const prefixLength = 4;

const forbidden = (why = 'a valid `x-typesense-api-key` header must be sent.'): SearchError => new SearchError(401, `Forbidden - ${why}`);

/**
 * Returns the parameters that the key embeds. Throws 401 if it was not made with this search key,
 * letter for letter.
 */
const parametersOf = (key: string, searchKey: string): Readonly<Record<string, unknown>> => {
  const text = Buffer.from(key, 'base64').toString();
  const parameters = text.slice(digestLength + prefixLength);
  const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
  if (text !== digest + searchKey.slice(0, prefixLength) + parameters) throw forbidden();
  try {
    return Object(JSON.parse(parameters));
  } catch {
    throw forbidden();
  }
};

/**
 * Returns the account that a scoped key may search. Checks the key as Typesense does. A key is
 * base64 of an HMAC-SHA256 with the search key, the first characters of that key, and the
 * parameters as JSON. Throws 401 if it is forged or expired.
 */
const accountOf = (key: string, searchKey: string, nowMs: number): string => {
  const limits = parametersOf(key, searchKey);
  const { filter_by, expires_at } = limits;
  if (typeof expires_at === 'number' && expires_at * 1000 <= nowMs)
    throw forbidden('the key has expired: ask POST /products/search-token for another.');
  const [, account = ''] = /^account:=(\w+) /.exec(String(filter_by)) ?? [];
  if (!isDeepStrictEqual(limits, storefrontLimits(account, Number(expires_at))))
    throw beyondStandIn('it takes keys from POST /products/search-token, which find the storefront of one account.');
  return account;
};

const collection = 'products';
const searchKeyOf = (region: Region): string => `${region}-stand-in-search-key`;

/**
 * Returns the search settings of an account that uses the replacement at this origin. They have no
 * admin key, because nothing is written to it.
 */
export const standInSearch = (region: Region, origin: string): NonNullable<Settings['search']> => ({
  provider: 'typesense',
  host: origin,
  collection,
  search_key: searchKeyOf(region),
});

const keyName = 'x-typesense-api-key';
const anyOrigin = { 'access-control-allow-origin': '*' };
const preflight = {
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': `content-type, ${keyName}`,
  'access-control-max-age': '86400',
};
const perRead = 100;

/** Returns the searches of a body of any content type. Browsers send text to avoid a preflight. */
const searchesIn = (body: string): readonly Parameters[] => {
  try {
    const { searches } = JSON.parse(body);
    return searches.map((one: object) => Object.fromEntries(Object.entries(one).map(([name, value]) => [name, String(value)])));
  } catch {
    throw new SearchError(400, 'The body must be JSON, { "searches": [ … ] }.');
  }
};

/**
 * Replaces the search engine in the local service. It searches the products in the region's table,
 * with a token of POST /products/search-token. It is never deployed.
 */
export const createSearchStandIn = (
  productsOf: (region: Region) => Promise<Pick<Store['products'], 'list'>>,
  clock: Clock,
): readonly LocalPage[] => {
  const documentsOf = async (region: Region, account: string) => {
    const documents: ReturnType<typeof searchDocument>[] = [];
    const products = await productsOf(region);
    let request: PageRequest | undefined = { limit: perRead };
    while (request) {
      const { records, next }: Page<Product> = await products.list(account, { sort: 'storefrontCreated' }, request);
      documents.push(...records.map((product) => searchDocument(account, product)));
      request = next && { limit: perRead, after: next };
    }
    return documents;
  };

  const handleSearch = async (request: IncomingMessage, region: Region): Promise<unknown> => {
    const body = String((await readBody(request)) ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const { [keyName]: keyInQuery = '', ...query } = Object.fromEntries(searchParams);
    const account = accountOf(String(request.headers[keyName] ?? keyInQuery), searchKeyOf(region), clock.now());
    const documents = await documentsOf(region, account);
    const search = (parameters: Parameters) => {
      if (parameters['collection'] !== collection) throw new SearchError(404, 'Not found.');
      return find(documents, parameters);
    };
    const [, requestedCollection] = /^\/collections\/([^/]+)\/documents\/search$/.exec(pathname) ?? [];
    if (request.method === 'GET' && requestedCollection !== undefined) return search({ ...query, collection: requestedCollection });
    if (request.method !== 'POST' || pathname !== '/multi_search')
      throw beyondStandIn('it answers GET /collections/{collection}/documents/search and POST /multi_search.');
    const results = searchesIn(body).map((one) => {
      try {
        return search({ ...query, ...one });
      } catch (error) {
        if (error instanceof SearchError) return { code: error.status, error: error.message };
        throw error;
      }
    });
    return { results };
  };

  const handle: OwnHandler = async (_path, request, response: ServerResponse, region) => {
    if (request.method === 'OPTIONS') {
      request.resume();
      response.writeHead(204, preflight).end();
      return;
    }
    try {
      replyJson(response, 200, await handleSearch(request, region), anyOrigin);
    } catch (error) {
      if (!(error instanceof SearchError)) throw error;
      replyJson(response, error.status, { message: error.message }, anyOrigin);
    }
  };
  return ['/collections', '/multi_search'].map((path) => ({ path, handle }));
};
