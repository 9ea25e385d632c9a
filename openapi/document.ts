import { writeFile } from 'node:fs/promises';
import type { GenericSchema } from 'valibot';
import { type GroupName, groupNames, groups, type OperationId } from '../functions/groups.ts';
import { regions } from '../shared/core/config.ts';
import { sentIdPattern } from '../shared/core/ids.ts';
import type { Route } from '../shared/core/routes.ts';
import { rateRules, webhookTestRule } from '../shared/http/rate-limits.ts';
import { errorSchemas } from './errors.ts';
import { deliveryParameters, eventOperations, eventSchemas } from './events.ts';
import { script } from './examples/script.ts';
import { onStage, type RecordedCall, type Recording } from './examples/stage.ts';
import { aboutEvents, introduction } from './introduction.ts';
import { createSchemas, type Document, type JsonSchema, mapped, type Schemas } from './json-schema.ts';
import { portable } from './portable.ts';
import { reduced } from './reduced.ts';
import { examplesOf, headerComponents, pagination, responseComponents, responsesOf } from './responses.ts';
import { groupWords, inputWords, operationWords } from './words/all.ts';
import { commonParameters, objectTexts } from './words/common.ts';

const idParameter = { $ref: '#/components/parameters/Id' };
const keyParameter = { $ref: '#/components/parameters/IdempotencyKey' };

const parameterComponents = (recording: Recording): JsonSchema => ({
  Id: { name: 'id', in: 'path', required: true, description: 'Id of the resource.', schema: { type: 'string' } },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: for 24 hours, the response of the first success is returned again. 1 to 255 letters, digits, `_`, `-`, `:` or `.`.',
    schema: { type: 'string', pattern: sentIdPattern.source },
  },
  ...deliveryParameters(recording),
});

const queryParameters = (operation: OperationId, query: GenericSchema, calls: readonly RecordedCall[], schemas: Schemas): JsonSchema[] =>
  schemas.fields(query).map(({ name, schema, required }) => {
    const description = operationWords[operation].query?.[name] ?? commonParameters[name];
    if (description === undefined) throw new Error(`Nothing says what ${name} of ${operation} is.`);
    const sent = calls.filter((call) => call.query?.[name] !== undefined);
    return {
      name,
      in: 'query',
      required,
      description,
      // Commas separate the values of a list.
      ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
      schema,
      ...examplesOf(sent, (call) =>
        schema['type'] === 'integer' ? Number(call.query?.[name]) : parameterValue(schema, call.query?.[name]),
      ),
    };
  });

const parameterValue = (schema: JsonSchema, value = ''): unknown => (schema['type'] === 'array' ? value.split(',') : value);

const about = ({ keys, scope, cacheControl }: Route): string =>
  [
    keys === 'any' ? 'Takes secret and publishable keys' : 'Takes secret keys only,',
    ` with the scope \`${scope}\`.`,
    cacheControl && cacheControl !== 'no-store' ? ` Responses have \`Cache-Control: ${cacheControl}\`.` : '',
  ].join('');

const limitOf = ({ name, limit }: { readonly name?: string; readonly limit: number }, per: string): JsonSchema => ({
  rule: name,
  limit,
  seconds: 60,
  per,
});

/** Returns the rate limits of an operation, in the order of their checks. */
const rateLimitsOf = ({ keys, method, operation }: Route): readonly JsonSchema[] => [
  ...(keys === 'any' ? [limitOf(rateRules.publicIp, 'address')] : []),
  limitOf(method === 'GET' ? rateRules.read : rateRules.write, 'key'),
  // Its 429 names no rule.
  ...(operation === 'testWebhook' ? [limitOf({ limit: webhookTestRule.limit }, 'account')] : []),
];

const operationOf = (group: GroupName, route: Route, calls: readonly RecordedCall[], schemas: Schemas): JsonSchema => {
  const texts = operationWords[route.operation as OperationId];
  const own = calls.filter(({ operation }) => operation === route.operation);
  const taken = own.filter(({ status }) => status < 300);
  const parameters = [
    ...(route.idempotent ? [keyParameter] : []),
    ...(route.query ? queryParameters(route.operation as OperationId, route.query, taken, schemas) : []),
  ];
  const sent = taken.filter(({ body }) => body !== undefined);
  return {
    operationId: route.operation,
    summary: texts.summary,
    description: `${texts.description}\n\n${about(route)}`,
    tags: [groupWords[group].group.name],
    security: [{ secretKey: [route.scope] }, ...(route.keys === 'any' ? [{ publishableKey: [route.scope] }] : [])],
    'x-required-scope': route.scope,
    'x-key-types': route.keys === 'any' ? ['secret', 'publishable'] : ['secret'],
    'x-rate-limits': rateLimitsOf(route),
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: route.body && {
      required: true,
      content: { 'application/json': { schema: schemas.of(route.body), ...examplesOf(sent, ({ body }) => body) } },
    },
    responses: responsesOf(route, texts, own, schemas),
  };
};

const pathsOf = (calls: readonly RecordedCall[], schemas: Schemas): JsonSchema => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const group of groupNames) {
    for (const route of groups[group] as readonly Route[]) {
      paths[route.path] ??= route.path.includes('{id}') ? { parameters: [idParameter] } : {};
      Object.assign(paths[route.path] ?? {}, { [route.method.toLowerCase()]: operationOf(group, route, calls, schemas) });
    }
  }
  return paths;
};

const servers = [
  {
    url: 'https://{region}.{domain}/api/v2',
    description: 'A deployed service; every account lives in one region, and its keys work on that host only.',
    variables: {
      region: { enum: [...regions], default: regions[0], description: 'Region of the account and of its keys.' },
      domain: { default: 'api.example.com', description: 'Domain of the service.' },
    },
  },
  {
    url: 'http://{region}.localhost:{port}/api/v2',
    description: 'The whole service on your own machine (`npm start`).',
    variables: {
      region: { enum: [...regions], default: regions[0], description: 'Region of the demo account.' },
      port: { default: '4000', description: 'What `--port` says.' },
    },
  },
];

const bare = 'The header may also hold the key alone, without `Bearer`.';

const securitySchemes = {
  secretKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_sk_{live|test}_{region}_{secret}',
    description: `For servers; the scopes it holds are chosen when it is created. Older ones read \`svc_{live|test}_{region}_{secret}\`. ${bare}`,
  },
  publishableKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_pk_{live|test}_{region}_{secret}',
    description: `For browsers; it always holds the whole commerce set of scopes. ${bare}`,
  },
};

/** Adds the descriptions of objects. Throws if an object does not exist or has a description. */
const withObjectTexts = (document: JsonSchema): JsonSchema => {
  const { schemas, ...others } = document['components'] as Document['components'];
  const wrong = Object.keys(objectTexts).filter((name) => schemas[name] === undefined || schemas[name].description !== undefined);
  if (wrong.length > 0) throw new Error(`These need no description of their own: ${wrong.join(', ')}.`);
  const described = mapped(schemas, (schema, name) =>
    objectTexts[name] === undefined ? schema : { type: schema.type, description: objectTexts[name], ...schema },
  );
  return { ...document, components: { schemas: described, ...others } };
};

/**
 * Builds the OpenAPI document: its structure from route tables and schemas, its examples from
 * recorded calls.
 */
const openApiDocument = (recording: Recording): JsonSchema => {
  const { calls, events } = recording;
  const schemas = createSchemas(inputWords);
  const paths = pathsOf(calls, schemas);
  const eventComponents = eventSchemas(schemas);
  const unknownNames = Object.keys(inputWords).filter((name) => !(name in schemas.components));
  if (unknownNames.length > 0) throw new Error(`No request body is called ${unknownNames.join(', ')}.`);
  return withObjectTexts(
    portable({
      openapi: '3.1.1',
      info: {
        title: 'Bakery Commerce API',
        version: '2.0.0',
        summary: 'Orders, customers, expenses, products and checkout of a bakery.',
        description: introduction,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers,
      tags: [...groupNames.map((name) => groupWords[name].group), { name: 'Events', description: aboutEvents }],
      paths,
      webhooks: eventOperations(events),
      components: {
        schemas: { ...schemas.components, ...eventComponents, ...errorSchemas, Pagination: pagination },
        responses: responseComponents(calls),
        parameters: parameterComponents(recording),
        headers: headerComponents,
        securitySchemes,
      },
    } as unknown as Document),
  );
};

/** Path of the document from the root of the project. */
export const documentPath = 'docs/openapi.json';
/** Path of the second document, for generators of clients. */
export const reducedPath = 'docs/openapi-3.0.json';

const written = (document: object): string => `${JSON.stringify(document, null, 2)}\n`;

/** Returns the document's text. Sends every example to the service first. */
export const generate = async (): Promise<string> => written(openApiDocument(await onStage(script)));

/** Returns the second document's text, from the text of the first. */
export const reducedText = (text: string): string => written(reduced(JSON.parse(text)));

if (import.meta.main) {
  const text = await generate();
  for (const [path, content] of Object.entries({ [documentPath]: text, [reducedPath]: reducedText(text) })) {
    await writeFile(new URL(`../${path}`, import.meta.url), content);
    console.log(`${path}: ${Buffer.byteLength(content)} bytes`);
  }
}
