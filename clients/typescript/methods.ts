import { capital, methodOf, repeatableOf } from '../methods.ts';

/** The client's methods by resource, from the document's operations. */

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: unknown;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | readonly Parameter[]>>>>;
  readonly components: { readonly schemas: { readonly EventType: { readonly enum: readonly string[] } } };
}

const commented = (text: string): string => `/** ${text.split('\n')[0]?.replaceAll('*/', '* /')} */`;

const methodsOf = (path: string, method: string, operation: Operation): string[] => {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const [, name] = methodOf({ operationId, path });
  const data = `api.${capital(operationId)}Data`;
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const isPaged = queried.some(({ name }) => name === 'cursor');
  const repeatable = repeatableOf({ operationId, verb: method, parameters });
  const bound = `operation<${data}, api.${capital(operationId)}Response>(send, '${method.toUpperCase()}', '${path}', '${repeatable}')`;
  const hasId = path.includes('{id}');
  const id = hasId ? ['id: string'] : [];
  const parts = [
    ...(hasId ? ['parameters: { id }'] : []),
    ...(queried.length > 0 ? ['query'] : []),
    ...(requestBody === undefined ? [] : ['body']),
  ];
  const input = parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
  const queryParameter = `query: NonNullable<${data}['query']>`;
  const query = queried.length === 0 ? [] : [name.startsWith('list') ? `query: ${data}['query'] = {}` : queryParameter];
  const body = requestBody === undefined ? [] : [`body: ${data}['body']`];
  const options = `options?: ${repeatable === 'keyed' ? 'CreateOptions' : 'CallOptions'}`;
  return [
    commented(`${summary}. ${description}`),
    `${name}: (${[...id, ...query, ...body, options].join(', ')}) => ${bound}(${input}, options),`,
    ...(isPaged
      ? [
          commented(`All that \`${name}\` has, page after page.`),
          `${name.replace('list', 'listAll')}: (${[...id, `${queryParameter} = {}`, options].join(', ')}) =>`,
          `  eachOf((query) => ${bound}(${input}, options), query),`,
        ]
      : []),
  ];
};

/** Returns the source of the module with the methods. */
export const methodsModule = ({ paths, components }: Document): string => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      'operationId' in operation ? [{ resource: path.split('/')[1] ?? '', path, method, operation }] : [],
    ),
  );
  const resources = [...Map.groupBy(operations, ({ resource }) => resource)].map(([resource, own]) => [
    `  ${resource}: {`,
    ...own.flatMap(({ path, method, operation }) => methodsOf(path, method, operation).map((line) => `    ${line}`)),
    '  },',
  ]);
  return [
    '// Generated from docs/openapi.json.',
    "import { operation } from '../operation.ts';",
    "import { eachOf } from '../pages.ts';",
    "import type { CallOptions, CreateOptions, Send } from '../transport.ts';",
    "import type * as api from './types.gen.ts';",
    '',
    '/** The operations by resource. */',
    'export const createResources = (send: Send) => ({',
    ...resources.flat(),
    '});',
    '',
    'export type Resources = ReturnType<typeof createResources>;',
    '',
    '/** Every type that an endpoint can subscribe to. */',
    `export const eventTypes: readonly api.EventType[] = ${JSON.stringify(components.schemas.EventType.enum)};`,
    '',
  ].join('\n');
};
