import { createHash, randomUUID } from 'node:crypto';
import { assertAccount, assertPermitted } from '../auth/gates.ts';
import { ApiError, notFound } from '../core/errors.ts';
import { parse } from '../core/fields.ts';
import type { Route } from '../core/routes.ts';
import type { Acquired, Lock } from '../table/idempotency.ts';
import { canonicalJson, parseBody } from './body.ts';
import { type Admitted, type ApiEvent, keyOf, routeOf, type Step } from './exchange.ts';
import type { ApiServices, Call, Operations } from './operation.ts';
import { assertAllowed, rateRules } from './rate-limits.ts';

const idPattern = /^[A-Za-z0-9_.:-]{1,255}$/;
const keyPattern = /^[A-Za-z0-9_\-:.]{1,255}$/;

/** The header's value where the route honours it (§ Limits, Idempotency rules 6). */
const idempotencyKey = (event: ApiEvent, route: Route): string | undefined => {
  const key = route.idempotent && event.headers['idempotency-key'];
  if (typeof key !== 'string') return undefined;
  if (!keyPattern.test(key)) {
    throw new ApiError('invalid_idempotency_key', 'Idempotency-Key must be 1 to 255 letters, digits, "_", "-", ":" or ".".');
  }
  return key;
};

/** Of a repeated parameter the first value counts; the gateway's own map joins them, so the raw string is read. */
const queryOf = (event: ApiEvent): Record<string, string> => {
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(event.rawQueryString)) {
    if (!Object.hasOwn(query, name)) Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
};

const bodyOf = (event: ApiEvent, route: Route): unknown => {
  if (route.body) return parseBody(event.body, event.isBase64Encoded);
  // A POST without a documented body takes an absent one.
  if (route.method === 'POST' && event.body) return parseBody(event.body, event.isBase64Encoded);
  return undefined;
};

/** The gateway sets the scheme header itself, whatever the client sent. */
const originOf = ({ headers }: ApiEvent): string => `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? ''}`;

interface Inspected {
  readonly call: Call;
  readonly lock: Lock | undefined;
}

/** Everything that needs no store, in the order of answers: key type, scope, Idempotency-Key, body, query, path. */
const inspect = (event: ApiEvent): Inspected => {
  const route = routeOf(event);
  const key = keyOf(event);
  assertPermitted(key, route);
  const idempotent = idempotencyKey(event, route);
  const raw = bodyOf(event, route);
  const body = route.body ? parse(route.body, raw) : undefined;
  const query = route.query ? parse(route.query, queryOf(event)) : {};
  const id = event.pathParameters?.['id'] ?? '';
  if (route.path.includes('{id}') && !idPattern.test(id)) throw notFound('Resource');
  const { operation } = route;
  return {
    call: { operation, account: key.account, key, id, query, body, origin: originOf(event), nowMs: event.exchange.startMs },
    lock:
      idempotent === undefined
        ? undefined
        : { key: idempotent, keyType: key.type, route: operation, bodyHash: digest(raw), token: randomUUID() },
  };
};

const digest = (body: unknown): string => createHash('sha256').update(canonicalJson(body)).digest('base64url');

const settled = <Value>(result: PromiseSettledResult<Value>): Value => {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
};

const assertFresh = (acquired: Acquired | undefined): void => {
  if (acquired?.kind === 'reused') {
    throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for another request.');
  }
  if (acquired?.kind === 'in_flight') {
    throw new ApiError('request_in_flight', 'A request with this Idempotency-Key is still being processed.');
  }
};

/**
 * The gates of decisions §2, 4 to 8. The bucket, the account, the idempotency lock and the operation's reads travel together,
 * so they cost one round trip; they are judged in order, and a refusal gives the lock back.
 */
export const admit = (operations: Operations, { store }: ApiServices): Step => ({
  before: async ({ event }) => {
    const key = keyOf(event);
    const rule = routeOf(event).method === 'GET' ? rateRules.read : rateRules.write;
    const [inspected] = await Promise.allSettled([(async () => inspect(event))()]);
    const { call, lock } = inspected.status === 'fulfilled' ? inspected.value : {};
    const [bucket, stored, acquired, data] = await Promise.allSettled([
      store.buckets.take(rule.name, key.id, rule.limit),
      store.accounts.get(key.account),
      lock && store.idempotency.acquire(key.account, lock),
      (async () => call && (await operations[call.operation]?.read?.(call)))(),
    ]);
    try {
      assertAllowed(settled(bucket), rule);
      const account = assertAccount(settled(stored));
      const { call } = settled(inspected);
      const held = settled(acquired);
      assertFresh(held);
      event.exchange.admitted =
        held?.kind === 'replay'
          ? { kind: 'replay', response: held }
          : ({ kind: 'run', call, account, data: settled(data), lock } satisfies Admitted);
    } catch (error) {
      const mayHold = lock && (acquired.status === 'rejected' || acquired.value?.kind === 'acquired');
      // Where even this fails the lock lapses by itself.
      if (mayHold) await store.idempotency.release(key.account, lock).catch(() => undefined);
      throw error;
    }
  },
});
