import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { routeOf } from '../../functions/groups.ts';
import { noResponse } from '../../shared/webhooks/outcome.ts';
import { openApi } from '../support/openapi.ts';
import { createTarget, createTenant, sampleProduct } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { arbitraryOf } from './openapi-arbitraries.ts';

/**
 * `world.request` throws if a response is not documented. These tests send unusual requests and
 * expect no 5xx.
 */
const world = shared(() => startWorld({ sender: { send: async () => noResponse, close: () => undefined } }));

const operations = Object.entries<any>(openApi.paths).flatMap(([path, item]) =>
  Object.entries<any>(item)
    .filter(([, operation]) => operation.operationId !== undefined)
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation, id: operation.operationId as string })),
);
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/**
 * A segment of a path, except `.` and `..`: URL parsers remove them, so the request would reach
 * another route.
 */
const segment = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..') },
  // No key of the table is that long.
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(2_100), '🍰'.repeat(300)) },
);

/** Commas separate the values of a list. */
const inQuery = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(inQuery).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const queryOf = (operation: any, stray: number) =>
  fc.record(
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((one: any) => one.in === 'query')
        .map(({ name, schema }: any) => [name, maybe(arbitraryOf(schema, stray).map(inQuery))]),
    ),
  );
const headersOf = (operation: any) => {
  const takesKey = operation.parameters?.some((one: any) => one.$ref?.endsWith('/IdempotencyKey'));
  return takesKey ? maybe(fc.oneof(fc.stringMatching(/^[A-Za-z0-9_\-:.]{1,40}$/), fc.string())) : fc.constant(undefined);
};
/**
 * Bodies of the schema, and examples of the document with one field from the schema; most of the
 * latter are accepted.
 */
const bodyOf = ({ requestBody }: any, stray: number): fc.Arbitrary<unknown> => {
  if (!requestBody) return fc.constant(undefined);
  const { schema, examples } = requestBody.content['application/json'];
  const properties = Object.entries<any>(openApi.components.schemas[schema.$ref.split('/').at(-1)].properties);
  const changed = fc
    .tuple(fc.constantFrom(...Object.values<any>(examples)), fc.constantFrom(...properties))
    .chain(([{ value }, [name, property]]) => arbitraryOf(property, stray).map((other) => ({ ...value, [name]: other })));
  return fc.oneof(arbitraryOf(schema, stray), changed);
};

/** Creates what the examples order. */
const createShop = async () => {
  const tenant = await createTenant(world);
  const variants = [{ id: 'small', name: 'Small', price: 5 }];
  const ids = [...new Set(JSON.stringify(openApi.paths).match(/prd_[0-9a-z]{26}/g))];
  const writes = ids.map((id) => world.store.products.createWrite(tenant.account.id, sampleProduct(world.clock.now(), { id, variants })));
  await world.store.commit(writes);
  return tenant;
};

describe.each(operations)('$id', ({ method, path, operation, id: operationId }) => {
  test.each([
    ['as documented', 0],
    ['with anything in places', 2],
  ])(`${operationId} returns only documented responses and no 5xx to requests %s`, async (_kind, stray) => {
    // A search runs, so the response is not 503. The account is new, so other tests do not use up
    // its limits.
    const tenant = await createShop();
    const target = (await createTarget(world, routeOf(operationId), tenant.key)) ?? '';
    const ids = fc.oneof(fc.constant(target), segment);
    await fc.assert(
      fc.asyncProperty(queryOf(operation, stray), bodyOf(operation, stray), headersOf(operation), ids, async (query, body, key, id) => {
        world.clock.advance(10_000);
        const sent = Object.entries(query).filter(([, value]) => value !== undefined) as [string, string][];
        const search = sent.length > 0 ? `?${new URLSearchParams(sent)}` : '';
        const { status } = await world.request(method, `${path.replace('{id}', encodeURIComponent(id.toWellFormed()))}${search}`, {
          key: tenant.key,
          headers: key === undefined ? {} : { 'idempotency-key': key },
          ...(body === undefined ? {} : { body }),
        });
        expect(status).toBeLessThan(500);
      }),
      // `npm run fuzz` sends thousands of requests from outside.
      { numRuns: 10 },
    );
  });
});
