import { expect, test } from '@jest/globals';
import { publishableScopes, scopeGroups, selectableScopes } from '../../shared/core/scopes.ts';
import { endpoints } from '../contract/specification.ts';

test('the selectable scopes are those that endpoints require', () => {
  expect([...selectableScopes].sort()).toEqual([...new Set(endpoints.map(([, , scope]) => scope))].sort());
});

test('a publishable key has exactly the listed scopes', () => {
  expect(publishableScopes).toEqual(['products:read', 'products:search', 'reference:read', 'pricing:read', 'checkout:write']);
});

test('each group has exactly the listed scopes', () => {
  expect(scopeGroups).toEqual({
    readOnly: ['orders:read', 'customers:read', 'expenses:read', 'reference:read'],
    orderManagement: ['orders:read', 'orders:write', 'customers:read', 'customers:write'],
    inventoryManagement: ['expenses:read', 'expenses:write'],
    fullAccess: selectableScopes,
    commerce: publishableScopes,
  });
});
