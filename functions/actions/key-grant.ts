import * as v from 'valibot';
import { invalidValue } from '../../shared/core/errors.ts';
import { oneOf } from '../../shared/core/fields.ts';
import { publishableScopes, type Scope, type ScopeGroup, scopeGroups, selectableScopes } from '../../shared/core/scopes.ts';
import type { ApiKey, KeyType } from '../../shared/domain/account/api-key.ts';

const groups = Object.keys(scopeGroups) as ScopeGroup[];
const anyScope = [...new Set([...selectableScopes, ...publishableScopes])];

export const grantFields = {
  group: v.nullable(oneOf(groups)),
  scopes: v.nullable(v.pipe(v.array(oneOf(anyScope), 'must be an array'), v.maxLength(50, 'must have at most 50 entries'))),
};

export interface GrantRequest {
  readonly group?: ScopeGroup | null;
  readonly scopes?: readonly Scope[] | null;
}

type Grant = Pick<ApiKey, 'group' | 'scopes'>;

/** What a publishable key holds whatever is asked for; asking for more is refused (§ Authentication 3 and 7). */
const publishableGrant = ({ group, scopes }: GrantRequest): Grant => {
  if (group && group !== 'commerce') throw invalidValue('group', 'group of a publishable key can only be commerce.');
  const foreign = scopes?.findIndex((scope) => !(publishableScopes as readonly Scope[]).includes(scope)) ?? -1;
  if (foreign !== -1) throw invalidValue(`scopes.${foreign}`, `scopes.${foreign} is not for publishable keys.`);
  return { group: 'commerce', scopes: scopeGroups.commerce };
};

/** A group or single scopes, full access where neither is named (§ Authentication 6 and 7). */
const secretGrant = ({ group, scopes }: GrantRequest): Grant => {
  if (!scopes) return { group: group ?? 'fullAccess', scopes: scopeGroups[group ?? 'fullAccess'] };
  if (group) throw invalidValue('group', 'group and scopes exclude each other.');
  return { group: null, scopes: [...new Set(scopes)] };
};

export const grantOf = (type: KeyType, request: GrantRequest): Grant =>
  type === 'publishable' ? publishableGrant(request) : secretGrant(request);
