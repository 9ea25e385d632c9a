import type { Request } from '../world/http.ts';
import type { Seen } from '../world/region.ts';
import { behold, type Journal, type Sight } from './journal.ts';

const servedStatuses: readonly unknown[] = ['active', 'grace'];

interface ErrorBody {
  readonly error?: string | { readonly code?: string; readonly requiredScope?: string };
}

/** The scope of a request by the specification's tables of endpoints. */
const scopeOf = ({ method, path }: Request): string => {
  const [, resource = '', what] = path.split(/[/?]/);
  if (resource === 'webhooks') return 'webhooks:manage';
  if (what === 'search-token') return 'products:search';
  if (resource === 'reference' || resource === 'availability') return 'reference:read';
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`;
};

/** The most that the clock of a function may be wrong. */
const skewMs = 1_000;

/**
 * Returns what a response proves about its key and account: the checks that it passed, and the one
 * that it failed.
 */
const gatesOf = (request: Request, { response, begunMs, endedMs }: Seen, { keys, changes }: Journal): readonly Sight[] => {
  const owner = keys.get(request.key);
  if (!owner || !response || response.status >= 500) return [];
  const { error } = response.status < 400 ? ({} as ErrorBody) : (JSON.parse(response.text) as ErrorBody);
  const saw = `answered ${request.method} ${request.path} with ${response.status} ${typeof error === 'string' ? error : (error?.code ?? '')}`;
  const sight = (subject: string, field: string, agrees: Sight['agrees']): Sight => ({ subject, field, saw, agrees, begunMs, endedMs });
  const mayHaveExpired = (expires: unknown) => typeof expires === 'number' && expires <= endedMs + skewMs;
  if (response.status === 401) {
    // A 401 that an expiry explains does not prove a revocation.
    const isExplained = changes.some(({ subject, field, value }) => subject === owner.id && field === 'expires' && mayHaveExpired(value));
    return isExplained ? [] : [sight(owner.id, 'revoked', (revoked) => revoked === true)];
  }
  const usable = sight(owner.id, 'revoked', (revoked) => revoked === false);
  const unexpired = sight(owner.id, 'expires', (expires) => typeof expires !== 'number' || expires > begunMs - skewMs);
  // The limit of the IP address is checked before the key.
  if (response.status === 429) return [];
  if (error === 'plan_required') return [usable, unexpired, sight(owner.account, 'plan', (plan) => plan !== 'business')];
  const planned = [usable, unexpired, sight(owner.account, 'plan', (plan) => plan === 'business')];
  if (error === 'account_inactive') return [...planned, sight(owner.account, 'status', (status) => !servedStatuses.includes(status))];
  const served = [...planned, sight(owner.account, 'status', (status) => servedStatuses.includes(status))];
  const missing = typeof error === 'object' && error.code === 'insufficient_scope' ? error.requiredScope : undefined;
  if (missing !== undefined) return [...served, sight(owner.id, 'scopes', (scopes) => !(scopes as readonly string[]).includes(missing))];
  const scope = scopeOf(request);
  return [...served, sight(owner.id, 'scopes', (scopes) => (scopes as readonly string[]).includes(scope))];
};

/** The most that an index lags behind a write. */
const listLagMs = 2_000;
/** Matches a path without an id. */
const readMany = /^\/\w+(?:\?|$)/;
const readOne = /^\/(?:customers|orders|products|expenses)\/(\w+)$/;

/**
 * Records what a response proves about its key and account, the record that was read, and people.
 */
export const witness = (journal: Journal, request: Request, seen: Seen): void => {
  const { response, begunMs } = seen;
  if (!response) return;
  journal.sights.push(...gatesOf(request, seen, journal));
  const what = `${request.method} ${request.path}`;
  journal.responses.push({
    what,
    text: response.text,
    begunMs,
    lagMs: request.method === 'GET' && readMany.test(request.path) ? listLagMs : 0,
  });
  const [, id] = (request.method === 'GET' && response.status === 200 && readOne.exec(request.path)) || [];
  if (id !== undefined) behold(journal, id, JSON.parse(response.text) as Record<string, unknown>, seen);
};
