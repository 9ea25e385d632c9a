import { resources } from './resources.ts';

/** Scopes an account can select for a secret key (§ Authentication 6). */
export const selectableScopes = Object.values(resources).flatMap(({ scopes }) => scopes);

/**
 * Scopes of every publishable key (§ Authentication 3 and 7). `pricing:read` is reserved and grants
 * nothing.
 */
export const publishableScopes = ['products:read', 'products:search', 'reference:read', 'pricing:read', 'checkout:write'] as const;

export type Scope = (typeof selectableScopes)[number] | (typeof publishableScopes)[number];

/** Permission groups for secret keys (§ Authentication 7). */
export const scopeGroups = {
  readOnly: ['orders:read', 'customers:read', 'expenses:read', 'reference:read'],
  orderManagement: ['orders:read', 'orders:write', 'customers:read', 'customers:write'],
  inventoryManagement: ['expenses:read', 'expenses:write'],
  fullAccess: selectableScopes,
  commerce: publishableScopes,
} as const satisfies Record<string, readonly Scope[]>;

export type ScopeGroup = keyof typeof scopeGroups;
