import { type ScopeGroup, scopeGroups } from '../../../../shared/core/scopes.ts';

const labels: Readonly<Record<ScopeGroup, string>> = {
  readOnly: 'Read only',
  orderManagement: 'Order management',
  inventoryManagement: 'Inventory management',
  commerce: 'Commerce',
  fullAccess: 'Full access',
};

const isGroup = (name: string): name is ScopeGroup => Object.hasOwn(scopeGroups, name);

/** Groups of a secret key, least permissions first. */
export const secretGroups = (Object.keys(labels) as ScopeGroup[]).map((name) => ({
  name,
  label: labels[name],
  scopes: scopeGroups[name] as readonly string[],
}));

export const groupLabel = (group: string | null): string => (group === null ? 'Single scopes' : isGroup(group) ? labels[group] : group);
