import { promisify } from 'node:util';
import type { Tools } from './tools.ts';

interface Parameter {
  readonly key: string;
  readonly disabled?: boolean;
  readonly description?: unknown;
}
interface Url {
  readonly path: readonly string[];
  readonly query: readonly Parameter[];
}
interface Request {
  readonly method: string;
  readonly url: Url;
  readonly header: readonly Parameter[];
  readonly body?: { readonly raw: string };
}
interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: Request & { readonly description?: unknown };
}

/** The variable that holds the id of a record of the folder, for example `customer_id`. */
const idOf = (collection: string): string => `${collection.replace(/s$/, '')}_id`;

/** Bodies that work in every account, where the document's example names records of its own. */
const bodies: Readonly<Record<string, (body: any) => unknown>> = {
  'POST /customers': (body) => ({ ...body, email: '{{$guid}}@example.com' }),
  'POST /orders': ({ custom_fields, ...body }) => ({ ...body, customer: { id: '{{customer_id}}' } }),
  'POST /checkout': ({ delivery_address, external_id, ...body }) => ({
    ...body,
    items: [{ product_id: '{{product_id}}', quantity: 1 }],
    delivery_type: 'pickup',
    delivery_date: '{{day}}',
    delivery_time: '{{slot}}',
  }),
  'POST /webhooks': (body) => ({ ...body, url: 'https://bakery.example.com/hooks/{{$guid}}' }),
};

const day = '{{day}}';
/** Parameters without which the service rejects the request, although each one is optional. */
const required: Readonly<Record<string, Readonly<Record<string, string>>>> = { 'GET /availability': { date: day } };

/** A script that reads a list and calls `use` with it. */
const read = (path: string, use: string): string => `pm.sendRequest({
  url: pm.variables.replaceIn('{{BAKERY_URL}}/') + ${path},
  header: { Authorization: pm.variables.replaceIn('Bearer {{BAKERY_API_KEY}}') },
}, (error, response) => {
  const found = error ? undefined : ${use};
  if (!found) return;`;

/** Sets the id of a record from a list, unless an earlier request has set it. */
const findId = (
  variable: string,
  path: string,
  use: string,
): string => `if (!pm.collectionVariables.get('${variable}')) ${read(`'${path}'`, use)}
  pm.collectionVariables.set('${variable}', found.id);
});`;

/** Scripts that set the variables of a request, by the variable. */
const finders: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['customers', 'expenses', 'orders', 'webhooks'].map((list) => [
      idOf(list),
      findId(idOf(list), `${list}?limit=1`, 'response.json().data?.[0]'),
    ]),
  ),
  product_id: findId(
    'product_id',
    'products?limit=100',
    'response.json().data?.find((one) => one.storefront_visible && one.variants.length === 0)',
  ),
  day: `const dayIn = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10);
${read("'availability?type=pickup&from=' + dayIn(2) + '&to=' + dayIn(16)", 'response.json().availability?.find((one) => one.bookable && one.time_slots.length > 0)')}
  pm.collectionVariables.set('day', found.date);
  pm.collectionVariables.set('slot', found.time_slots[0].id);
});`,
};

const script = (listen: 'prerequest' | 'test', code: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec: code.flatMap((part) => part.split('\n')) },
});

const finished = (item: Item, statusOf: (route: string) => number): object => {
  const { method, url, header, body, description } = item.request as Required<Item>['request'];
  const route = `${method} /${url.path.join('/')}`;
  const [collection = ''] = url.path;
  const isCreate = method === 'POST' && url.path.length === 1;
  const raw = body && JSON.stringify((bodies[route] ?? ((same: unknown) => same))(JSON.parse(body.raw)), null, 2);
  const query = url.query.map(({ key, description }) => {
    const value = required[route]?.[key];
    return { key, value: value ?? '', description, disabled: value === undefined };
  });
  const search = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const variable = url.path.includes(':id') ? [{ key: 'id', value: `{{${idOf(collection)}}}` }] : [];
  const request = {
    method,
    description,
    header: header.map(({ key, ...rest }) =>
      key === 'Idempotency-Key' ? { ...rest, key, value: '{{$guid}}', disabled: true } : { key, ...rest },
    ),
    url: {
      raw: `{{BAKERY_URL}}/${url.path.join('/')}${search.length > 0 ? `?${search.join('&')}` : ''}`,
      host: ['{{BAKERY_URL}}'],
      path: url.path,
      query,
      variable,
    },
    ...(raw === undefined ? {} : { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } }),
  };
  const used = Object.entries(finders).flatMap(([name, code]) => (JSON.stringify(request).includes(`{{${name}}}`) ? [code] : []));
  const status = statusOf(route);
  const test = [`pm.test('returns ${status}', () => pm.response.to.have.status(${status}));`];
  if (isCreate && finders[idOf(collection)]) test.push(`pm.collectionVariables.set('${idOf(collection)}', pm.response.json().id);`);
  if (method === 'DELETE') test.push(`pm.collectionVariables.unset('${idOf(collection)}');`);
  return { name: item.name, event: [...(used.length > 0 ? [script('prerequest', used)] : []), script('test', test)], request };
};

/** Creations come first and deletions last, so that a run from top to bottom succeeds. */
const rank = ({ request }: Item): number => {
  if (request?.method === 'DELETE') return 3;
  if (request?.url.path.includes(':id')) return 2;
  return request?.method === 'POST' ? 0 : 1;
};
const byRank = (items: readonly Item[]): Item[] => items.toSorted((a, b) => rank(a) - rank(b));

/** Returns the collection for Postman that the API document describes. */
export const makeCollection = async ({ postman }: Tools, document: any): Promise<object> => {
  const convert = promisify(postman.convert.bind(postman)) as (input: object, options: object) => Promise<any>;
  const options = {
    folderStrategy: 'Tags',
    requestParametersResolution: 'Example',
    parametersResolution: 'Example',
    enableOptionalParameters: false,
  };
  const { result, reason, output } = await convert({ type: 'json', data: document }, options);
  if (!result) throw new Error(reason);
  const statusOf = (route: string): number => {
    const [method = '', path = ''] = route.replace(':id', '{id}').split(' ');
    return Number(Object.keys(document.paths[path][method.toLowerCase()].responses).find((status) => status.startsWith('2')));
  };
  const folders = (output[0].data.item as readonly Item[])
    .filter(({ item }) => item && item.length > 0)
    .map(({ name, item = [] }) => ({ name, item: byRank(item).map((one) => finished(one, statusOf)) }));
  const { title, version, summary } = document.info;
  return {
    info: {
      name: `${title} ${version}`,
      description: `${summary} Choose an environment and fill in its keys.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{BAKERY_API_KEY}}', type: 'string' }] },
    item: folders,
    variable: Object.keys(finders).map((key) => ({ key, value: '' })),
  };
};
