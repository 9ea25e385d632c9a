import * as v from 'valibot';
import { newKey } from '../../shared/auth/authenticate.ts';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { momentMs, oneOf, orNull, partial, record, requiredText } from '../../shared/core/fields.ts';
import { publishableScopes, type Scope, type ScopeGroup, scopeGroups, selectableScopes } from '../../shared/core/scopes.ts';
import { isoFromMs, withLaterTime } from '../../shared/core/time.ts';
import { type ApiKey, isUsable, type KeyType } from '../../shared/domain/account/record.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import { type ActionServices, idField, integer, onAccount, pageFields } from './action.ts';
import { keyView } from './views.ts';

const allScopes = [...new Set([...selectableScopes, ...publishableScopes])];

const grantFields = {
  group: v.nullable(oneOf(Object.keys(scopeGroups) as ScopeGroup[])),
  scopes: v.nullable(v.pipe(v.array(oneOf(allScopes), 'must be an array'), v.maxLength(50, 'must have at most 50 entries'))),
};

interface GrantRequest {
  readonly group?: ScopeGroup | null;
  readonly scopes?: readonly Scope[] | null;
}

const keyRevoked = 'The key is revoked. Create a new key with key.create.';

type Grant = Pick<ApiKey, 'group' | 'scopes'>;

/** Returns the rights of a publishable key. Rejects other scopes (§ Authentication 3 and 7). */
const publishableGrant = ({ group, scopes }: GrantRequest): Grant => {
  if (group && group !== 'commerce') throw invalidValue('group', 'group must be commerce for a publishable key.');
  const foreign = scopes?.findIndex((scope) => !(publishableScopes as readonly Scope[]).includes(scope)) ?? -1;
  if (foreign !== -1) throw invalidValue(`scopes.${foreign}`, `scopes.${foreign} is only for secret keys. Leave it out.`);
  return { group: 'commerce', scopes: scopeGroups.commerce };
};

/**
 * Scopes of a secret key: those of the group, or the single scopes. Without either, full access (§
 * Authentication 6 and 7).
 */
const secretGrant = ({ group, scopes }: GrantRequest): Grant => {
  if (!scopes) return { group: group ?? 'fullAccess', scopes: scopeGroups[group ?? 'fullAccess'] };
  if (group) throw invalidValue('group', 'group and scopes cannot be combined. Send one of them.');
  return { group: null, scopes: [...new Set(scopes)] };
};

const grantOf = (type: KeyType, request: GrantRequest): Grant =>
  type === 'publishable' ? publishableGrant(request) : secretGrant(request);

/** The rights and other properties of a new key. */
type KeyProperties = Pick<ApiKey, 'account' | 'name' | 'type' | 'group' | 'scopes' | 'expires_at'> & { readonly legacy: boolean };

/**
 * Returns a new key and its value. The value is stored only in the response to the call's token.
 */
const makeKey = ({ region, clock, random, newId }: ActionServices, { legacy, ...properties }: KeyProperties) => {
  const { value, hash, prefix } = newKey(properties.type, region, random, legacy);
  const nowMs = clock.now();
  const now = isoFromMs(nowMs);
  const key: ApiKey = { id: newId('key', nowMs), hash, ...properties, region, prefix, revoked_at: null, created_at: now, updated_at: now };
  return { key, result: { ...keyView(key, null), key: value } };
};

/**
 * Returns the end that the caller sent. Throws if it is not in the future: such a key would never
 * work (decisions §7).
 */
const requireFutureEnd = (ms: number | null, nowMs: number): string | null => {
  if (ms !== null && ms <= nowMs) throw invalidValue('expires_at', 'expires_at must be in the future.');
  return ms === null ? null : isoFromMs(ms);
};

/** Maximum number of keys of an account that are neither revoked nor expired (decisions §7). */
const maxKeys = 1_000;

const create = onAccount({
  summary: 'Creates an API key. Only this response shows its value.',
  input: record({
    type: oneOf(['secret', 'publishable']),
    name: v.exactOptional(requiredText(), 'API key'),
    ...partial(grantFields),
    expires_at: orNull(momentMs()),
    /** If true, the key has the older form without a type segment. */
    legacy: v.exactOptional(v.boolean('must be true or false'), false),
  }),
  async decide(services, { type, name, expires_at, legacy, ...grant }, account) {
    if (legacy && type === 'publishable') throw invalidValue('legacy', 'legacy needs the type secret.');
    const rights = grantOf(type, grant);
    const nowMs = services.clock.now();
    const end = requireFutureEnd(expires_at, nowMs);
    const keys = await services.store.apiKeys.list(account.id);
    if (keys.filter((key) => isUsable(key, nowMs)).length >= maxKeys)
      throw new ApiError('conflict', `The account has ${maxKeys} keys. Revoke one that is no longer needed with key.revoke.`);
    const { key, result } = makeKey(services, { account: account.id, name, type, ...rights, expires_at: end, legacy });
    return { result, writes: services.store.apiKeys.createWrites(key) };
  },
});

/** Returns the changes with the time of the save: that of now if the key shows something else after them (decisions §6). */
const withSaveTime = <Changes extends Partial<ApiKey>>(
  key: ApiKey,
  changes: Changes,
  nowMs: number,
): Changes & Pick<ApiKey, 'updated_at'> => {
  const hasSameView = JSON.stringify(keyView({ ...key, ...changes }, null)) === JSON.stringify(keyView(key, null));
  return hasSameView ? { ...changes, updated_at: key.updated_at } : withLaterTime(key, { ...changes, updated_at: isoFromMs(nowMs) });
};

const hourMs = 3_600_000;

/** Returns the end of a key as its owner chose it, also after replacements. */
const chosenEnd = ({ chosen_end, expires_at }: ApiKey): string | null => (chosen_end === undefined ? expires_at : chosen_end);

/**
 * Returns the end of the new key: the one that was sent, otherwise the one that the old key had
 * before its first replacement (decisions §7).
 */
const expiryOfNewKey = (old: ApiKey, sent: number | null | undefined, nowMs: number): string | null => {
  if (sent !== undefined) return requireFutureEnd(sent, nowMs);
  const end = chosenEnd(old);
  if (end !== null && Date.parse(end) <= nowMs)
    throw invalidValue('expires_at', 'The end of the old key has passed. Send expires_at with a time in the future, or null for no end.');
  return end;
};

const replace = onAccount({
  summary: 'Creates a key with the rights of an old key, which ends now or within a week. Only this response shows the value.',
  input: record({
    ...idField,
    /** Hours for which the old key still works. If it expires earlier, it ends earlier. */
    old_key_hours: v.exactOptional(integer(0, 168), 0),
    ...partial({ name: requiredText(), expires_at: v.nullable(momentMs()) }),
  }),
  async decide(services, { id, old_key_hours, expires_at, ...sent }, account) {
    const { store, clock } = services;
    const old = await store.apiKeys.get(account.id, id);
    if (!old) throw notFound('Key');
    if (old.revoked_at !== null) throw new ApiError('conflict', keyRevoked);
    const nowMs = clock.now();
    const { name, type, group, scopes } = { ...old, ...sent };
    const rights = { account: account.id, name, type, group, scopes };
    const { key, result } = makeKey(services, { ...rights, expires_at: expiryOfNewKey(old, expires_at, nowMs), legacy: false });
    const endMs = nowMs + old_key_hours * hourMs;
    const end = old.expires_at === null ? endMs : Math.min(endMs, Date.parse(old.expires_at));
    const ended = withSaveTime(old, { expires_at: isoFromMs(end), chosen_end: chosenEnd(old) }, nowMs);
    return {
      result: { ...result, replaced: { id: old.id, expires_at: ended.expires_at } },
      writes: [...store.apiKeys.createWrites(key), ...store.apiKeys.updateWrites(old, ended)],
    };
  },
});

const list = onAccount({
  summary: 'Lists the API keys, oldest first, with the day of their last use. Includes revoked and expired keys.',
  input: record(pageFields(500, 1_000)),
  async read({ store }, query, { id: account }) {
    const call = { account, operation: 'key.list', id: '', query };
    const page = await store.apiKeys.page(account, pageRequest(call));
    const [first, last] = [page.records[0], page.records.at(-1)];
    const uses = first && last && (await store.apiKeys.lastUses(account, [first.id, last.id]));
    const { data, pagination } = pageBody(call, page, (key) => keyView(key, uses?.get(key.id) ?? null));
    return { data, next_cursor: pagination.next_cursor };
  },
});

const update = onAccount({
  summary: "Changes an API key's name, rights or end.",
  input: record({ ...idField, ...partial({ name: requiredText(), ...grantFields, expires_at: v.nullable(momentMs()) }) }),
  async decide({ store, clock }, { id, name, group, scopes, expires_at }, account) {
    const [key, used] = await Promise.all([store.apiKeys.get(account.id, id), store.apiKeys.lastUse(account.id, id)]);
    if (!key) throw notFound('Key');
    if (key.revoked_at !== null) throw new ApiError('conflict', keyRevoked);
    const end = expires_at === undefined ? undefined : requireFutureEnd(expires_at, clock.now());
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(group || scopes ? grantOf(key.type, { group: group ?? null, scopes: scopes ?? null }) : {}),
      ...(end === undefined ? {} : { expires_at: end, chosen_end: end }),
    };
    if (Object.keys(changes).length === 0) return { result: keyView(key, used) };
    const complete = withSaveTime(key, changes, clock.now());
    return { result: keyView({ ...key, ...complete }, used), writes: store.apiKeys.updateWrites(key, complete) };
  },
});

const revoke = onAccount({
  summary: 'Ends an API key at once. This cannot be undone. A repeated call changes nothing.',
  input: record(idField),
  async decide({ store, clock }, { id }, account) {
    const [key, used] = await Promise.all([store.apiKeys.get(account.id, id), store.apiKeys.lastUse(account.id, id)]);
    if (!key) throw notFound('Key');
    if (key.revoked_at !== null) return { result: keyView(key, used) };
    const now = isoFromMs(clock.now());
    const changes = withLaterTime(key, { revoked_at: now, updated_at: now });
    return { result: keyView({ ...key, ...changes }, used), writes: store.apiKeys.updateWrites(key, changes) };
  },
});

export const key = { create, replace, list, update, revoke };
