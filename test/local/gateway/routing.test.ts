import { expect, test } from '@jest/globals';
import { apiRouteKeys, createRouter } from '../../../local/gateway/routing.ts';
import type { Route } from '../../../shared/core/routes.ts';

const route = (method: Route['method'], path: string, keys: Route['keys'] = 'secret'): Route => ({
  operation: 'x',
  method,
  path,
  scope: 'expenses:read',
  keys,
});
const router = createRouter([
  {
    target: 'items',
    routeKeys: apiRouteKeys([route('GET', '/items/{id}'), route('GET', '/items'), route('POST', '/items/{id}/parts/{part}')]),
  },
  { target: 'special', routeKeys: apiRouteKeys([route('GET', '/items/special'), route('GET', '/open', 'any')]) },
]);

test('a path with parameters gives them decoded', () => {
  expect(router('POST', '/api/v2/items/a%2Fb/parts/%C3%A4')).toEqual({
    routeKey: 'POST /api/v2/items/{id}/parts/{part}',
    target: 'items',
    pathParameters: { id: 'a/b', part: 'ä' },
  });
});

test('a literal path wins over a parameter', () => {
  expect(router('GET', '/api/v2/items/special')).toEqual({ routeKey: 'GET /api/v2/items/special', target: 'special' });
});

test('publishable-key endpoints have an OPTIONS route of their own, others have none', () => {
  expect(router('OPTIONS', '/api/v2/open')).toEqual({ routeKey: 'OPTIONS /api/v2/open', target: 'special' });
  expect(router('OPTIONS', '/api/v2/items')).toBeUndefined();
});

test.each([
  ['GET', '/api/v2/items/'],
  ['GET', '/api/v2//items'],
  ['GET', '/api/v2/Items'],
  ['get', '/api/v2/items'],
  ['HEAD', '/api/v2/items'],
  ['DELETE', '/api/v2/items'],
  ['GET', '/items'],
  ['GET', '/api/v2/items/%zz'],
  ['GET', '/api/v2/items/%'],
  ['GET', '/api/v2/items/a/b'],
  ['GET', '*'],
  ['GET', ''],
])('%s %s is no route', (method, path) => {
  expect(router(method, path)).toBeUndefined();
});
