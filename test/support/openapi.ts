import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { apiPrefix, deprecatedPrefix } from '../../shared/core/routes.ts';
import { parseJson } from './http.ts';

/** Untyped JSON, which the functions below traverse. */
type Json = any;

/** A response of the API with its request. Header names may have any case. */
export interface ApiExchange {
  readonly method: string;
  /** The path with the prefix and without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
}

/** What the test sent, beside method and path. */
export interface SentRequest {
  readonly search: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

declare global {
  /** The compiled schemas that all test files of a worker share (`environment.mjs`). */
  var documentSchemas: typeof import('./schemas.ts') | undefined;
}

/** The document, and the errors of a value by one of its schemas in closed form. */
export const { openApi, faultsOf } =
  globalThis.documentSchemas ?? (createRequire(import.meta.url)('./schemas.ts') as typeof import('./schemas.ts'));

/** Headers that HTTP and the gateway add to every message, or that OpenAPI lists nowhere. */
const transport = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'accept',
  'date',
  'keep-alive',
  'transfer-encoding',
  'apigw-requestid',
]);

const resolve = (node: Json): Json =>
  node?.$ref
    ? node.$ref
        .slice(2)
        .split('/')
        .reduce((found: Json, name: string) => found[name], openApi)
    : node;

const paths = Object.keys(openApi.paths).map((path) => ({
  path,
  pattern: new RegExp(`^${apiPrefix}${path.replace('{id}', '[^/]*')}$`),
}));

/** Exact paths take precedence over patterns, like at the gateway. */
const itemOf = (path: string): Json => {
  const found = paths
    .filter(({ pattern }) => pattern.test(path))
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))[0];
  return found && openApi.paths[found.path];
};

const takesPublishable = (item: Json): boolean =>
  Object.values<Json>(item ?? {}).some((operation) => operation['x-key-types']?.includes('publishable'));

const headerFaults = (documented: Json, sent: Readonly<Record<string, unknown>>): readonly string[] => {
  const names = Object.keys(documented ?? {});
  const known = new Set([...transport, ...names.map((name) => name.toLowerCase())]);
  const undocumented = Object.keys(sent).filter((name) => !known.has(name));
  const wrong = names.flatMap((name) => {
    const { required, schema } = resolve(documented[name]);
    const value = sent[name.toLowerCase()];
    if (value === undefined) return required ? [`${name} is missing`] : [];
    return faultsOf(schema, schema.type === 'integer' ? Number(value) : String(value)).map((fault) => `${name}${fault}`);
  });
  return [...undocumented.map((name) => `${name} is not documented`), ...wrong];
};

const preflightFaults = (status: number, headers: Readonly<Record<string, unknown>>, text: string): readonly string[] => {
  const cors = Object.fromEntries(
    Object.keys(openApi.components.headers)
      .filter((name) => name.startsWith('AccessControl') || name === 'RequestId')
      .map((name) => [name === 'RequestId' ? 'X-Request-Id' : headerName(name), { $ref: `#/components/headers/${name}` }]),
  );
  return [...(status === 204 && text === '' ? [] : [`status ${status} with a body of ${text.length}`]), ...headerFaults(cors, headers)];
};

const headerName = (component: string): string => component.replace(/(?<=[a-z])(?=[A-Z])/g, '-');

/** Returns the faults of a response to an unknown route: 404, or 410 for the removed version. */
const unroutedFaults = ({ method, path, status, text }: ApiExchange): readonly string[] => {
  const expected = path === deprecatedPrefix || path.startsWith(`${deprecatedPrefix}/`) ? 410 : 404;
  const wrongStatus = status === expected ? [] : [`status ${status}`];
  // A response to HEAD has no body.
  return method === 'HEAD' ? wrongStatus : [...wrongStatus, ...faultsOf({ $ref: '#/components/schemas/Error' }, parseJson(text))];
};

/**
 * Returns the differences of a response from the document: status, code, body, headers. Empty if it
 * agrees, or is not part of the API.
 */
export const disagreements = (exchange: ApiExchange): readonly string[] => {
  const { method, path, status, text } = exchange;
  if (!/^\/api\/v[12](\/|$)/.test(path)) return [];
  const headers = Object.fromEntries(Object.entries(exchange.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const item = itemOf(path);
  const operation = item?.[method.toLowerCase()];
  if (method === 'OPTIONS' && takesPublishable(item)) return preflightFaults(status, headers, text);
  if (!operation) return unroutedFaults(exchange);
  const response = resolve(operation.responses[status]);
  if (!response) return [`status ${status} is not documented: ${text}`];
  const body = parseJson(text) as Json;
  const code = body?.error?.code;
  const codes: readonly string[] = response['x-error-codes'] ?? [];
  return [
    ...(code === undefined || codes.includes(code) ? [] : [`code ${code} is not documented with ${status}`]),
    ...faultsOf(response.content['application/json'].schema, body),
    ...headerFaults(response.headers ?? { 'X-Request-Id': openApi.components.headers.RequestId }, headers),
  ];
};

/** A file to which every exchange is added as a line of JSON; `test/mock` reads it. */
const recording = process.env['TEST_RECORDING'];

/** Throws if a response differs from the document. */
export const assertDocumented = (exchange: ApiExchange, sent: SentRequest): void => {
  const { method, path, status, text } = exchange;
  if (recording) appendFileSync(recording, `${JSON.stringify({ method, path, status, text, sent })}\n`);
  const faults = disagreements(exchange);
  if (faults.length === 0) return;
  throw new Error(
    `${exchange.method} ${exchange.path} disagrees with docs/openapi.json:\n${faults.join('\n')}\n${exchange.text.slice(0, 2000)}`,
  );
};

/** Returns the differences of a delivery from the document: its type, its fields, its headers. */
export const deliveryFaults = (headers: ApiExchange['headers'], text: string): readonly string[] => {
  const event = parseJson(text) as Json;
  const operation = openApi.webhooks[event?.type]?.post;
  if (!operation) return [`no event is called ${event?.type}`];
  const documented = Object.fromEntries(operation.parameters.map(resolve).map(({ name, ...header }: Json) => [name, header] as const));
  return [...faultsOf(operation.requestBody.content['application/json'].schema, event), ...headerFaults(documented, headers)];
};
