import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { documentPath, reducedPath, reducedText } from '../../openapi/document.ts';
import { openApi } from '../support/openapi.ts';

const source = readFileSync(documentPath, 'utf8');
let committed: string;
let reduced: any;
beforeAll(() => {
  committed = readFileSync(reducedPath, 'utf8');
  reduced = JSON.parse(committed);
});

/** Every object below a part of a document, references to schemas and responses followed once. */
const within = (node: any, seen = new Set<unknown>()): any[] => {
  if (typeof node !== 'object' || node === null || seen.has(node)) return [];
  seen.add(node);
  const target = node.$ref
    ?.slice(2)
    .split('/')
    .reduce((found: any, name: string) => found[name], reduced);
  return [node, ...Object.values(node).flatMap((one) => within(one, seen)), ...within(target, seen)];
};

const operationsOf = ({ paths }: any): any[] =>
  Object.entries<any>(paths).flatMap(([path, item]) =>
    Object.entries<any>(item).flatMap(([method, operation]) => (operation.operationId ? [{ path, method, ...operation }] : [])),
  );
const eventNames = (): string[] => Object.keys(reduced.components.schemas).filter((name) => name.endsWith('Event'));
/** The schemas of what the service writes: responses and events. */
const written = (): any[] =>
  within([...operationsOf(reduced).map(({ responses }) => responses), ...eventNames().map((name) => reduced.components.schemas[name])]);

test('the committed second document is made from the first (npm run openapi)', () => {
  expect(committed).toBe(reducedText(source));
});

test("Redocly's linter finds that the second document is valid OpenAPI 3.0.3", async () => {
  expect(reduced.openapi).toBe('3.0.3');
  const config = await loadConfig({ configPath: 'openapi/redocly.yaml' });
  const problems = await lintFromString({ source: committed, absoluteRef: reducedPath, config });
  expect(problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)).toEqual([]);
});

describe('the second document for client generators', () => {
  test('the second document has every operation of the first, with parameters and statuses, and no webhooks', () => {
    const parameters = (operation: any) => operation.parameters?.map(({ name, $ref }: any) => name ?? $ref);
    const stated = (document: any) =>
      operationsOf(document).map(({ responses, ...operation }) => [
        ...[operation.path, operation.method, operation.operationId],
        ...[parameters(operation), Object.keys(responses), operation.requestBody?.required],
      ]);
    expect(stated(reduced)).toEqual(stated(openApi));
    expect('webhooks' in reduced).toBe(false);
  });

  test('the second document has a schema of every event of the first', () => {
    const names = Object.keys(openApi.components.schemas).filter((name) => name.endsWith('Event'));
    expect(eventNames()).toEqual(names);
  });

  test('the second document has no union and no composed schema', () => {
    const found = within(reduced).filter((node) => ['oneOf', 'anyOf', 'allOf', 'not', 'discriminator'].some((keyword) => keyword in node));
    expect(found).toEqual([]);
  });

  test('the second document has no enum in a response or an event, and states the known values', () => {
    expect(written().filter((node) => 'enum' in node || 'const' in node)).toEqual([]);
    const { status } = reduced.components.schemas.Order.properties;
    expect([status.type, status.description]).toEqual(['string', expect.stringContaining('`in_production`')]);
  });

  test('the second document has the same enums in requests as the first', () => {
    const { OrderInput, ExpenseInput } = reduced.components.schemas;
    expect(OrderInput.properties.status.enum).toEqual(openApi.components.schemas.OrderStatus.enum);
    expect(ExpenseInput.properties.category.enum).toBeUndefined();
  });

  test('the second document allows unknown fields in every object of a response or an event', () => {
    expect(written().filter((node) => node.type === 'object' && node.properties && !node.additionalProperties)).toEqual([]);
  });

  test('the second document gives integers without a maximum 64 bits, and numbers the format double', () => {
    const narrow = within(reduced).filter(({ type, format, maximum }) => type === 'integer' && format !== 'int64' && maximum === undefined);
    expect(narrow).toEqual([]);
    expect(within(reduced).filter(({ type, format }) => type === 'number' && format !== 'double')).toEqual([]);
  });
});

describe('recorded traffic', () => {
  let ajv: Ajv;
  beforeAll(() => {
    ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addFormat('uri-template', true);
    // Ajv knows the exclusive bounds of later versions only.
    const inclusive = JSON.parse(committed, (name, value) => (name.startsWith('exclusive') ? undefined : value));
    ajv.addSchema({ $id: 'api', ...inclusive });
  });
  const faults = (pointer: string, content: any): string[] =>
    Object.entries<any>(content?.examples ?? {}).flatMap(([name, { value }]) => {
      ajv.validate({ $ref: `api#${pointer}` }, value);
      return (ajv.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
    });
  const segment = (name: string): string => encodeURIComponent(name.replaceAll('/', '~1'));
  const json = 'content/application~1json/schema';

  test('every recorded request is valid by the second document', () => {
    const found = operationsOf(openApi).flatMap(({ path, method, requestBody }) =>
      faults(`/paths/${segment(path)}/${method}/requestBody/${json}`, requestBody?.content['application/json']),
    );
    expect(found).toEqual([]);
  });

  test('every recorded response is valid by the second document', () => {
    const found = operationsOf(openApi).flatMap(({ path, method, responses }) =>
      Object.entries<any>(responses).flatMap(([status, { content }]) =>
        faults(`/paths/${segment(path)}/${method}/responses/${status}/${json}`, content?.['application/json']),
      ),
    );
    const shared = Object.entries<any>(openApi.components.responses).flatMap(([name, { content }]) =>
      faults(`/components/responses/${name}/${json}`, content['application/json']),
    );
    expect([...found, ...shared]).toEqual([]);
  });

  test('every recorded event is valid by its own schema and by the one of any event', () => {
    const found = Object.values<any>(openApi.webhooks).flatMap(({ post }) => {
      const content = post.requestBody.content['application/json'];
      return [content.schema.$ref.slice(1), '/components/schemas/Event'].flatMap((pointer) => faults(pointer, content));
    });
    expect(found).toEqual([]);
  });
});
