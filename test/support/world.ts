import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { fallback } from '../../functions/fallback/app.ts';
import type { Tables } from '../../local/engine/tables.ts';
import { createRouter, type MatchedRoute } from '../../local/gateway/routing.ts';
import { apiGroups, type GroupServices } from '../../local/groups.ts';
import { hashKey } from '../../shared/auth/authenticate.ts';
import { makeId, type NewId } from '../../shared/core/ids.ts';
import { type Random, systemRandom } from '../../shared/core/random.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { publishableScopes, type Scope, selectableScopes } from '../../shared/core/scopes.ts';
import type { Account, ApiKey } from '../../shared/domain/account/record.ts';
import type { ApiHandler, checkSteps } from '../../shared/http/chain.ts';
import type { Secrets } from '../../shared/providers/secrets.ts';
import { openDb } from '../../shared/table/client.ts';
import { openStore, type Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';
import { createSender, type Sender } from '../../shared/webhooks/sender.ts';
import { createClock, type TestClock } from './clock.ts';
import { startEngine, type TestEngine } from './engine.ts';
import { assertDocumented } from './openapi.ts';
import { secretsOf } from './secrets.ts';
import { createWire, type Wire } from './wire.ts';

export interface RequestOptions {
  readonly key?: string;
  /** A value is sent as JSON, a string as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes as the gateway passes them on: in base64. */
  readonly bytes?: Uint8Array;
  readonly sourceIp?: string;
  readonly host?: string;
  /** Whether the authorizer has found the edge's secret in the request. */
  readonly throughEdge?: true;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Bodies of every shape are looked into. */
  readonly body: any;
}

type KeyFields = Partial<ApiKey> & { readonly legacy?: boolean };

/**
 * The API functions of the region `us` on a real engine, with a clock, a wire and a log that belong
 * to the test.
 */
export interface World {
  readonly engine: TestEngine;
  /** Services of the API's functions. */
  readonly services: GroupServices;
  readonly store: Store;
  readonly clock: TestClock;
  readonly random: Random;
  readonly wire: Wire;
  readonly log: Record<string, unknown>[];
  readonly policy: DeliveryPolicy;
  readonly tables: Tables;
  /**
   * A business account, active, in USD, unless said otherwise. `more` returns other records that are
   * created with it, because each commit takes its time.
   */
  createAccount(fields?: Partial<Account>, more?: (account: string) => readonly Write[]): Promise<Account>;
  /** A new secret key with every scope, unless said otherwise: its value, and the writes that create it. */
  newKey(account: string, fields?: KeyFields): { readonly value: string; readonly writes: readonly Write[] };
  /** Creates such a key and returns its value. */
  createKey(account: string, fields?: KeyFields): Promise<string>;
  /**
   * `request('POST', '/expenses', { key, body })`; the path is relative to `/api/v2` unless it
   * starts with `/api`.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<TestResponse>;
  stop(): Promise<void>;
}

export { allRoutes } from '../../functions/groups.ts';

/**
 * The context of an invocation that has as long as it needs: without the time that is left, Middy
 * sets no timer.
 */
export const unhurried = {} as Context;

const keyValue = (type: 'secret' | 'publishable', region: string, legacy: boolean): string => {
  const segment = type === 'publishable' ? 'pk_' : legacy ? '' : 'sk_';
  return `svc_${segment}live_${region}_${randomBytes(32).toString('base64url')}`;
};

/** A gateway may be stricter; here ids that do not decode come to the functions as they are. */
const decodable = (segment: string): string => {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return encodeURIComponent(segment);
  }
};

/**
 * A payload-2.0 event as API Gateway makes it; the local runtime's gateway has fixtures of its own.
 */
const eventOf = ({ routeKey, pathParameters }: MatchedRoute, method: string, url: URL, options: RequestOptions): APIGatewayProxyEventV2 => {
  const sent = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
  const body = options.bytes ? Buffer.from(options.bytes).toString('base64') : sent;
  const headers = {
    host: options.host ?? 'us.api.example.com',
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    ...Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])),
  };
  return {
    version: '2.0',
    routeKey,
    rawPath: url.pathname,
    rawQueryString: url.search.slice(1),
    headers,
    requestContext: {
      ...(options.throughEdge && { authorizer: { lambda: { edge: true } } }),
      accountId: '000000000000',
      apiId: 'test',
      domainName: headers.host,
      domainPrefix: 'test',
      http: { method, path: url.pathname, protocol: 'HTTP/1.1', sourceIp: options.sourceIp ?? '192.0.2.1', userAgent: 'test' },
      requestId: `req-${randomBytes(6).toString('hex')}`,
      routeKey,
      stage: '$default',
      time: '',
      timeEpoch: 0,
    },
    ...(pathParameters ? { pathParameters } : {}),
    ...(body === undefined ? {} : { body }),
    isBase64Encoded: options.bytes !== undefined,
  };
};

export interface WorldOptions {
  readonly policy?: DeliveryPolicy;
  /** Sender of webhook tests; the real one by default. */
  readonly sender?: Sender;
  /** Secrets of accounts' references; none by default. */
  readonly secrets?: Secrets;
  /** Whether notices to the platform are stored; not by default. */
  readonly notices?: boolean;
  /** Checks of a request; those of the service by default. */
  readonly checksOf?: typeof checkSteps;
  /** Source of ids and tokens; the system's by default. */
  readonly random?: Random;
}

export const startWorld = async ({
  policy = { allowLoopback: true, timeScale: 1 },
  sender = createSender({ policy }),
  secrets: givenSecrets,
  random = systemRandom,
  notices = false,
  checksOf,
}: WorldOptions = {}): Promise<World> => {
  const engine = await startEngine();
  const tables = await engine.createTables('world');
  const clock = createClock();
  const wire = createWire(engine.client);
  const newId: NewId = (prefix, atMs) => makeId(prefix, atMs, random.bytes(16));
  const log: Record<string, unknown>[] = [];
  const store = openStore(openDb(wire.client, { ...tables, notices, clock, random }));
  const services: GroupServices = {
    region: 'us',
    store,
    clock,
    random,
    newId,
    log: (line: Readonly<Record<string, unknown>>) => log.push({ ...line }),
    secrets: givenSecrets ?? secretsOf({}, clock),
    sender,
    policy,
  };
  const route = createRouter<ApiHandler>(apiGroups.map(({ routeKeys, make }) => ({ routeKeys, target: make(services, checksOf) })));
  const unrouted = { routeKey: '$default', target: fallback(services) };

  const createAccount: World['createAccount'] = async (fields = {}, more = () => []) => {
    const now = new Date(clock.now()).toISOString();
    const account: Account = {
      id: newId('acct', clock.now()),
      name: 'Test bakery',
      region: 'us',
      plan: 'business',
      status: 'active',
      currency: 'USD',
      order_limit: null,
      timezone: 'UTC',
      created_at: now,
      updated_at: now,
      ...fields,
    };
    await store.commit([store.accounts.createWrite(account), ...more(account.id)]);
    return account;
  };

  const newKey: World['newKey'] = (account, { legacy = false, ...fields } = {}) => {
    const now = new Date(clock.now()).toISOString();
    const type = fields.type ?? 'secret';
    const value = keyValue(type, fields.region ?? 'us', legacy);
    const scopes: readonly Scope[] = type === 'publishable' ? publishableScopes : selectableScopes;
    const base = {
      id: newId('key', clock.now()),
      account,
      hash: hashKey(value),
      name: 'Test key',
      type,
      region: 'us' as const,
      group: null,
      scopes,
    };
    const key: ApiKey = {
      ...base,
      prefix: value.slice(0, 20),
      expires_at: null,
      revoked_at: null,
      created_at: now,
      updated_at: now,
      ...fields,
    };
    return { value, writes: store.apiKeys.createWrites(key) };
  };

  const createKey: World['createKey'] = async (account, fields) => {
    const { value, writes } = newKey(account, fields);
    await store.commit(writes);
    return value;
  };

  return {
    engine,
    services,
    store,
    clock,
    random,
    wire,
    log,
    policy,
    tables,
    createAccount,
    newKey,
    createKey,
    async request(method, path, options = {}) {
      const url = new URL(path.startsWith('/api') ? path : `${apiPrefix}${path}`, 'https://us.api.example.com');
      const match = route(method, url.pathname.split('/').map(decodable).join('/')) ?? unrouted;
      const event = eventOf(match, method, url, options);
      const response = await match.target(event, unhurried);
      const text = response.body ?? '';
      const status = response.statusCode ?? 0;
      const headers = response.headers as Record<string, string>;
      const sent = { search: url.search, headers: event.headers, body: options.bytes?.toString() ?? event.body };
      assertDocumented({ method, path: url.pathname, status, headers, text }, sent);
      return {
        status,
        headers,
        text,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    async stop() {
      sender.close();
      await engine.stop();
    },
  };
};
