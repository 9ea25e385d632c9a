import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { groupNames, groups } from '../../functions/groups.ts';
import { documentPath, generate } from '../../openapi/document.ts';
import { allEventTypes } from '../../openapi/events.ts';
import type { Route } from '../../shared/core/routes.ts';
import { signatureHeader } from '../../shared/webhooks/signing.ts';
import { disagreements, faultsOf, openApi } from '../support/openapi.ts';

const committed = readFileSync(documentPath, 'utf8');
const routes: readonly Route[] = groupNames.flatMap((group) => [...groups[group]]);
const operations = Object.values<Record<string, any>>(openApi.paths).flatMap((item) =>
  Object.values<any>(item).filter((operation) => operation.operationId !== undefined),
);

test('the committed document equals the generated one, with every example sent again (npm run openapi)', async () => {
  expect(await generate()).toBe(committed);
});

test("Redocly's linter finds no problem in the document", async () => {
  const config = await loadConfig({ configPath: 'openapi/redocly.yaml' });
  const problems = await lintFromString({ source: committed, absoluteRef: documentPath, config });
  expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
});

describe('the document', () => {
  test('the document has every route of the service, with its scope and key types, and no other operation', () => {
    const stated = operations.map((operation) => [operation.operationId, operation['x-required-scope'], operation['x-key-types']]);
    const expected = routes.map(({ operation, scope, keys }) => [
      operation,
      scope,
      keys === 'any' ? ['secret', 'publishable'] : ['secret'],
    ]);
    expect(stated.sort()).toEqual(expected.sort());
  });

  test("the document states every operation's limits: per key, per address with publishable keys, and for webhook tests", () => {
    const limits = Object.fromEntries(
      operations.map((operation) => [operation.operationId, operation['x-rate-limits'].map(({ limit, per }: any) => `${limit}/${per}`)]),
    );
    expect(limits).toMatchObject({
      listOrders: ['300/key'],
      deleteWebhook: ['100/key'],
      createCheckout: ['120/address', '100/key'],
      getAvailability: ['120/address', '300/key'],
      testWebhook: ['100/key', '10/account'],
    });
  });

  test('the document marks only the expense categories as cacheable', () => {
    const cacheable = operations.filter(({ responses }) => responses[200]?.headers['Cache-Control'].schema !== undefined);
    expect(cacheable.map(({ operationId, responses }) => [operationId, responses[200].headers['Cache-Control'].schema.const])).toEqual([
      ['listExpenseCategories', 'private, max-age=3600'],
    ]);
  });

  test('the document has every type of event under webhooks', () => {
    expect(Object.keys(openApi.webhooks)).toEqual(allEventTypes);
  });

  test('the document uses every schema except `Event`', () => {
    const used = new Set(committed.match(/#\/components\/schemas\/\w+/g));
    const unused = Object.keys(openApi.components.schemas).filter((name) => !used.has(`#/components/schemas/${name}`));
    expect(unused).toEqual(['Event']);
  });

  test('the document has nothing that client generators cannot read: no object as default, no list of several types', () => {
    const hard = Object.values<any>(openApi.components.schemas)
      .flatMap(({ properties = {} }) => Object.values<any>(properties).flatMap((schema) => [schema, schema.additionalProperties ?? {}]))
      .filter(
        ({ default: value, type }) =>
          (typeof value === 'object' && !Array.isArray(value)) || (Array.isArray(type) && type.filter((one) => one !== 'null').length > 1),
      );
    expect(hard).toEqual([]);
  });

  test('the document describes every object', () => {
    const isObject = ({ type, properties }: any): boolean => type === 'object' || properties !== undefined;
    const nested = (name: string, schema: any): readonly (readonly [string, any])[] => [
      [name, schema],
      ...Object.entries<any>(schema.properties ?? {}).flatMap(([field, one]) => nested(`${name}.${field}`, one)),
    ];
    const all = Object.entries<any>(openApi.components.schemas).flatMap(([name, schema]) => nested(name, schema));
    expect(all.filter(([, schema]) => isObject(schema) && !schema.description).map(([name]) => name)).toEqual([]);
  });

  test('the document describes every field of every schema', () => {
    const silent = Object.entries<any>(openApi.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries<any>(properties)
        .filter(([, schema]) => !schema.description && schema.const === undefined && !schema.$ref && !schema.anyOf?.[0]?.$ref)
        .map(([property]) => `${name}.${property}`),
    );
    expect(silent).toEqual([]);
  });
});

const mediaTypes = (node: any): any[] =>
  typeof node === 'object' && node !== null
    ? [...(node['application/json'] ? [node['application/json']] : []), ...Object.values(node).flatMap(mediaTypes)]
    : [];

describe('examples', () => {
  test('examples show a success of every operation, with its request', () => {
    const bare = operations.filter(({ responses, requestBody }) => {
      const [success] = Object.entries<any>(responses).filter(([status]) => status.startsWith('2'));
      return !success?.[1].content['application/json'].examples || (requestBody && !requestBody.content['application/json'].examples);
    });
    expect(bare.map(({ operationId }) => operationId)).toEqual([]);
  });

  test('examples show every flat error, and the error at the order limit', () => {
    const shown = new Set(
      mediaTypes(openApi).flatMap(({ examples = {} }) => Object.values<any>(examples).map(({ value }) => value.error?.code ?? value.error)),
    );
    const expected = ['rate_limit_exceeded', 'plan_required', 'account_inactive', 'limit_reached'];
    expect(expected.filter((code) => !shown.has(code))).toEqual([]);
  });

  test('examples show a delivery of every event', () => {
    const bare = Object.entries<any>(openApi.webhooks).filter(([, { post }]) => !post.requestBody.content['application/json'].examples);
    expect(bare.map(([type]) => type)).toEqual([]);
  });

  test('examples have exactly the documented fields', () => {
    const wrong = mediaTypes(openApi).flatMap(({ schema, examples = {} }) =>
      Object.entries<any>(examples).flatMap(([name, { value }]) => faultsOf(schema, value).map((fault) => `${name}: ${fault}`)),
    );
    expect(wrong).toEqual([]);
  });

  test('examples have a test event that verifies with the shown secret', () => {
    const { value: event } = openApi.webhooks['webhook.test'].post.requestBody.content['application/json'].examples['webhook.test'];
    const { value: endpoint } = openApi.paths['/webhooks'].post.responses[201].content['application/json'].examples.everything;
    const { DeliveryXWebhookSignature: signature, DeliveryXWebhookTimestamp: timestamp } = openApi.components.parameters;
    expect(signature.example).toBe(signatureHeader(endpoint.secret, timestamp.example, JSON.stringify(event)));
  });
});

describe('the check of every response in the tests', () => {
  const headers = { 'X-Request-Id': 'r', 'Cache-Control': 'no-store', 'X-RateLimit-Limit': '300' };
  let exchange: Parameters<typeof disagreements>[0];
  beforeAll(() => {
    const { value } = openApi.paths['/expenses'].get.responses[200].content['application/json'].examples.march;
    exchange = { method: 'GET', path: '/api/v2/expenses', status: 200, headers, text: JSON.stringify(value) };
  });
  const with_ = (change: (body: any) => void) => {
    const body = JSON.parse(exchange.text);
    change(body);
    return disagreements({ ...exchange, text: JSON.stringify(body) });
  };

  test('the check of every response in the tests accepts a documented response', () => {
    expect(disagreements(exchange)).toEqual([]);
  });

  test('the check of every response in the tests finds an extra field, a missing field and a field of another type', () => {
    expect(with_((body) => Object.assign(body.data[0], { receipt: 'x' }))).toHaveLength(1);
    expect(with_((body) => delete body.data[0].amount)).toHaveLength(1);
    expect(with_((body) => Object.assign(body.pagination, { has_more: 'no' }))).toHaveLength(1);
  });

  test('the check of every response in the tests finds an undocumented status, code or header, and a missing header', () => {
    const error = (code: string) => JSON.stringify({ error: { type: 'validation_error', code, message: '' } });
    const { 'X-RateLimit-Limit': _, ...errorHeaders } = headers;
    expect(disagreements({ ...exchange, status: 418 })).toHaveLength(1);
    expect(disagreements({ ...exchange, headers: errorHeaders, status: 400, text: error('invalid_cursor') })).toEqual([]);
    expect(disagreements({ ...exchange, headers: errorHeaders, status: 400, text: error('invalid_json') })).toHaveLength(1);
    expect(disagreements({ ...exchange, headers: { ...headers, 'X-Powered-By': 'x' } })).toHaveLength(1);
    expect(disagreements({ ...exchange, headers: errorHeaders })).toHaveLength(1);
  });

  test('the check of every response in the tests ignores requests that are not operations', () => {
    const none = { ...exchange, method: 'PUT', text: JSON.stringify({ error: { type: 'not_found', code: 'not_found', message: '' } }) };
    expect(disagreements({ ...none, status: 404 })).toEqual([]);
    expect(disagreements({ ...none, status: 200 })).toHaveLength(1);
  });
});
