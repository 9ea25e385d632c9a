import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/core/clock.ts';
import type { Region } from '../../shared/core/config.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { searchDocument } from '../../shared/domain/product/search.ts';
import type { Page, PageRequest } from '../../shared/table/page.ts';
import type { Store } from '../../shared/table/store.ts';
import { readBody } from '../gateway/handle.ts';
import { replyJson } from '../gateway/replies.ts';
import type { LocalPage, OwnHandler } from '../gateway/server.ts';
import { accountOf, beyondStandIn, find, type Parameters, Refused } from './find.ts';

interface SearchStandInOptions {
  /** Resolves when the regions run. */
  readonly productsOf: (region: Region) => Promise<Pick<Store['products'], 'list'>>;
  readonly clock: Clock;
}

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
    throw new Refused(400, 'The body must be JSON, { "searches": [ … ] }.');
  }
};

/**
 * Replaces the search engine in the local service. It searches the products in the region's table,
 * with a token of POST /products/search-token. It is never deployed.
 */
export const createSearchStandIn = ({ productsOf, clock }: SearchStandInOptions): readonly LocalPage[] => {
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

  const answer = async (request: IncomingMessage, region: Region): Promise<unknown> => {
    const body = String((await readBody(request)) ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const { [keyName]: keyInQuery = '', ...query } = Object.fromEntries(searchParams);
    const account = accountOf(String(request.headers[keyName] ?? keyInQuery), searchKeyOf(region), clock.now());
    const documents = await documentsOf(region, account);
    const search = (parameters: Parameters) => {
      if (parameters['collection'] !== collection) throw new Refused(404, 'Not found.');
      return find(documents, parameters);
    };
    const [, asked] = /^\/collections\/([^/]+)\/documents\/search$/.exec(pathname) ?? [];
    if (request.method === 'GET' && asked !== undefined) return search({ ...query, collection: asked });
    if (request.method !== 'POST' || pathname !== '/multi_search')
      throw beyondStandIn('it answers GET /collections/{collection}/documents/search and POST /multi_search.');
    const results = searchesIn(body).map((one) => {
      try {
        return search({ ...query, ...one });
      } catch (error) {
        if (error instanceof Refused) return { code: error.status, error: error.message };
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
      replyJson(response, 200, await answer(request, region), anyOrigin);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      replyJson(response, error.status, { message: error.message }, anyOrigin);
    }
  };
  return ['/collections', '/multi_search'].map((path) => ({ path, handle }));
};
