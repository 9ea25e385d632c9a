import { expect, test } from '@jest/globals';
import { publishableScopes, scopeGroups, selectableScopes } from '../../shared/core/scopes.ts';
import { endpoints } from '../contract/specification.ts';

test('a secret key can be given the scopes that endpoints ask for', () => {
  expect([...selectableScopes].sort()).toEqual([...new Set(endpoints.map(([, , scope]) => scope))].sort());
});

test('a publishable key holds these', () => {
  expect(publishableScopes).toEqual(['products:read', 'products:search', 'reference:read', 'pricing:read', 'checkout:write']);
});

test('the groups are sets of these', () => {
  expect(scopeGroups).toEqual({
    readOnly: ['orders:read', 'customers:read', 'expenses:read', 'reference:read'],
    orderManagement: ['orders:read', 'orders:write', 'customers:read', 'customers:write'],
    inventoryManagement: ['expenses:read', 'expenses:write'],
    fullAccess: selectableScopes,
    commerce: publishableScopes,
  });
});
