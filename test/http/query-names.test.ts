import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SchemaNode } from '../../shared/core/schema-node.ts';
import { shared } from '../support/shared.ts';
import { allRoutes, startWorld } from '../support/world.ts';

const world = shared(startWorld);
let key: string;
beforeAll(async () => {
  key = await world.createKey((await world.createAccount()).id);
});
// Each test has the requests of a whole minute.
beforeEach(() => world.clock.advance(60_000));

/** Every parameter of every endpoint with query parameters, and a query that the endpoint accepts. */
const parameters = allRoutes.flatMap(({ path, query }) =>
  Object.keys((query as SchemaNode | undefined)?.entries ?? {}).map((name): [path: string, name: string] => [path, name]),
);
const ask = (path: string, query: string) => world.request('GET', `${path.replace('{id}', 'whe_none')}?${query}`, { key });
const plain = async (path: string) => {
  const { status, body } = await ask(path, path === '/availability' ? 'date=2026-03-05' : '');
  return { status, body };
};

describe('a query parameter with a bracket', () => {
  test('every list, availability and the reference data with a filter take parameters', () => {
    expect(new Set(parameters.map(([path]) => path))).toEqual(
      new Set([
        ...['/orders', '/customers', '/expenses', '/products', '/webhooks', '/webhooks/{id}/events'],
        ...['/reference/time-slots', '/reference/custom-fields', '/availability'],
      ]),
    );
  });

  test.each(parameters.filter(([, name]) => name !== 'limit'))('GET %s rejects %s with a bracket', async (path, name) => {
    for (const sent of [`${name}[]`, `${name}[0]`, `${name}[a][b]`, `${name}%5B%5D`, `${name}%5Bgte%5D`, `${name}[`])
      for (const query of [`${sent}=pending`, `${name}=pending&${sent}=ready`, `limit=5&${sent}`]) {
        const { status, body } = await ask(path, query);
        expect({ status, ...body.error }).toMatchObject({ status: 400, code: 'invalid_value', field: name });
      }
  });

  test.each([...new Set(parameters.map(([path]) => path))])(
    'GET %s ignores limit[] and unknown parameters with a bracket',
    async (path) => {
      const date = path === '/availability' ? 'date=2026-03-05&' : '';
      const { status, body } = await ask(path, `${date}limit[]=1&limit%5B0%5D=x&fields[]=id&[]=1&x[status]=1`);
      expect({ status, body }).toEqual(await plain(path));
    },
  );
});
