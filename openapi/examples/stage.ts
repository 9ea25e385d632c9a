import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OperationId, routeOf } from '../../functions/groups.ts';
import { startRuntime } from '../../local/runtime.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { timeOfId } from '../../shared/core/ids.ts';
import { newSecret } from '../../shared/webhooks/signing.ts';

/** Products and settings of the bakery in the examples. */
const gluten = { name: 'gluten', level: 'contains' };

export const catalog = {
  tart: {
    name: 'Lemon tart',
    category: 'cakes',
    price: 32,
    description: 'Baked in the morning.',
    tags: ['vegetarian'],
    variants: [
      { id: 'small', name: 'Small, 4 slices', price: 18 },
      { id: 'large', name: 'Large, 8 slices', price: 32 },
    ],
    allergens: [gluten, { name: 'nuts', level: 'may_contain' }],
  },
  sourdough: { name: 'Sourdough loaf', category: 'bread', price: 8.5, allergens: [gluten] },
};

export const settings = {
  payment_methods: [
    { id: 'card', name: 'Card', enabled: true },
    { id: 'cash', name: 'Cash', enabled: true },
  ],
  event_categories: [{ name: 'Wedding' }, { name: 'Birthday' }],
  time_slots: {
    pickup: [{ id: 'ps_morning', label: 'Morning', start: '08:00', end: '11:00', available_days: [1, 2, 3, 4, 5, 6] }],
    delivery: [{ id: 'ds_evening', label: 'Evening', start: '17:00', end: '19:00', multiplier: 1.5, available_days: [4, 5] }],
  },
  blocked_dates: [{ id: 'bd_good_friday', date: '2026-04-03', reason: 'Closed', is_holiday: true, holiday_name: 'Good Friday' }],
  recurring_rules: [{ id: 'rr_sundays', type: 'weekly', days_of_week: [0], reason: 'Day of rest' }],
  custom_fields: [
    { id: 'cf_message', key: 'message', name: 'Message on the cake', type: 'text', scopes: ['order'] },
    { id: 'cf_oven', key: 'oven', name: 'Oven', type: 'select', options: ['left', 'right'], scopes: ['order'], internal: true },
  ],
  search: { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only-key-of-the-example' },
  checkout: { gateway: 'sandbox', delivery_fee: 12 },
};

/**
 * One sent request and its response, with stable values in place of those that vary between runs.
 */
export interface RecordedCall {
  readonly operation: OperationId;
  /** The example's key in the document. */
  readonly name: string;
  readonly summary: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly responseBody: unknown;
}

/** An event as a receiver gets it. */
interface RecordedEvent extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id?: string } };
}

export interface Recording {
  readonly calls: readonly RecordedCall[];
  readonly events: readonly RecordedEvent[];
}

/** The request of an example. */
interface ExampleRequest {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** API key; a secret key with all permissions if absent. */
  readonly key?: string;
  /** Wanted status; that of the operation's success if absent. */
  readonly status?: number;
}

/** Fields of responses and results that scripts read. */
interface ResponseFields {
  readonly id: string;
  readonly key: string;
  readonly pagination: { readonly next_cursor: string };
  readonly delivery_stats: { readonly success_count: number };
}

/** The whole service in this process, with a clock that the script controls. */
export interface Stage {
  /** Origin of the receiver of deliveries. */
  readonly hooks: string;
  /** The id and keys of the account in all examples. */
  readonly account: string;
  readonly keys: { readonly secret: string; readonly publishable: string; readonly readOnly: string };
  /**
   * Sends a request and records it with its response. Throws if the status differs from the wanted
   * one.
   */
  call(operation: OperationId, name: string, summary: string, request?: ExampleRequest): Promise<ResponseFields>;
  /** Sends a request without recording it. */
  send(operation: OperationId, request: ExampleRequest): Promise<unknown>;
  /** Runs a dashboard action without recording it. */
  act(action: string, input: unknown): Promise<ResponseFields>;
  /** Waits for the record's event of this type, and records it. */
  recordEvent(type: string, record?: string): Promise<void>;
  /** Waits until an endpoint has this number of successes. */
  delivered(endpoint: string, count: number): Promise<void>;
  /** Advances the clock by a minute. */
  later(): void;
}

export const startMs = Date.parse('2026-03-10T09:00:00.000Z');
const minuteMs = 60_000;
/** The limit counts calls and not time, so a loaded machine gets longer. */
const maxQuestions = 6_000;

const startReceiver = async () => {
  const events: RecordedEvent[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (request.url === '/hooks/bakery') events.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    events,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const eventually = async <Value>(ask: () => Value | undefined | Promise<Value | undefined>, what: string): Promise<Value> => {
  for (let questions = 0; questions < maxQuestions; questions++) {
    const value = await ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`It did not happen: ${what}.`);
};

/** Sends a request of an example to the API. */
const sendTo = async (
  origin: string,
  operation: OperationId,
  { id = '', query, body, headers, key }: ExampleRequest,
  secret: string,
): Promise<{ readonly status: number; readonly responseBody: ResponseFields }> => {
  const { method, path } = routeOf(operation);
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const response = await fetch(`${origin}/api/v2${path.replace('{id}', id)}${search}`, {
    method,
    headers: { authorization: `Bearer ${key ?? secret}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, responseBody: (await response.json()) as ResponseFields };
};

/** Ids contain their time, which is fixed here, and a random part, which a counter replaces. */
const idPattern = /\b([a-z]{2,4})_([0-9a-z]{10})([0-9a-z]{16})/g;
const secretPattern = /^whsec_/;
const exampleFingerprint = 'ExampleFiltr';
const exampleToken = Buffer.from('an example of a scoped search-only key').toString('base64');

/**
 * Replaces values that differ between runs by equal-looking fixed ones, in the order of their
 * appearance.
 */
const normalise = ({ calls, events }: Recording, service: string, hooks: string): Recording => {
  const seen = new Map<string, string>();
  const steady = (value: string, make: (count: number) => string): string => {
    const known = seen.get(value) ?? make(seen.size + 1);
    seen.set(value, known);
    return known;
  };

  const text = (value: string): string => {
    if (secretPattern.test(value)) return steady(value, (count) => newSecret({ bytes: (size) => Buffer.alloc(size, count) }));
    return value
      .replaceAll(service, 'https://us.api.example.com')
      .replaceAll(hooks, 'https://bakery.example.com')
      .replace(idPattern, (id, prefix, time) => steady(id, (count) => `${prefix}_${time}${String(count).padStart(16, '0')}`));
  };

  const cursor = (value: string): string => {
    const [version, , position, id] = JSON.parse(Buffer.from(value, 'base64url').toString());
    return Buffer.from(JSON.stringify([version, exampleFingerprint, position, text(id)])).toString('base64url');
  };

  const steadyField = (name: string, value: unknown): unknown => {
    if (name === 'token') return exampleToken;
    if (name === 'response_time_ms' && typeof value === 'number') return 42;
    if (typeof value !== 'string') return value;
    return ['next_cursor', 'cursor'].includes(name) ? cursor(value) : text(value);
  };

  const steadied = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value, steadyField));

  // The time in the envelope is the change stream's and cannot be fixed, so it is replaced by the
  // time in the id.
  const steadyEvent = (event: RecordedEvent): RecordedEvent => ({
    ...steadied(event),
    created: Math.floor(timeOfId(event.id) / 1000),
  });

  return { calls: calls.map((call) => steadied(call)), events: events.map(steadyEvent) };
};

/** Runs a script against the service and returns its recordings with stable values. */
export const onStage = async (script: (stage: Stage) => Promise<void>): Promise<Recording> => {
  let nowMs = startMs;
  const [runtime, receiver] = await Promise.all([
    startRuntime({ regions: ['us'], allowLoopbackWebhooks: true, clock: { ...systemClock, now: () => nowMs } }),
    startReceiver(),
  ]);
  const calls: RecordedCall[] = [];
  const events: RecordedEvent[] = [];
  const origin = runtime.urls.us;

  const invoke = async (action: string, input: unknown, account?: string): Promise<ResponseFields> => {
    const response = (await runtime.invokeAction('us', { action, input, ...(account === undefined ? {} : { account }) })) as
      | { readonly ok: true; readonly result: ResponseFields }
      | { readonly ok: false; readonly body: unknown };
    if (!response.ok) throw new Error(`${action}: ${JSON.stringify(response.body)}`);
    return response.result;
  };
  const send = (operation: OperationId, request: ExampleRequest, secret: string) => sendTo(origin, operation, request, secret);

  try {
    const { id: account } = await invoke('account.create', { name: 'Maple Street Bakery', plan: 'business' });
    const newKey = async (input: unknown): Promise<string> => (await invoke('key.create', input, account)).key;
    const keys = {
      secret: await newKey({ type: 'secret', group: 'fullAccess', name: 'Server' }),
      publishable: await newKey({ type: 'publishable', name: 'Storefront' }),
      readOnly: await newKey({ type: 'secret', group: 'readOnly', name: 'Reports' }),
    };
    await script({
      hooks: receiver.origin,
      account,
      keys,
      send: (operation, request) => send(operation, request, keys.secret),
      async call(operation, name, summary, request = {}) {
        const { query, body, status: expectedStatus = routeOf(operation).status ?? 200 } = request;
        const { status, responseBody } = await send(operation, request, keys.secret);
        if (status !== expectedStatus) throw new Error(`${operation}, ${name}: ${status} ${JSON.stringify(responseBody)}`);
        calls.push({ operation, name, summary, ...(query && { query }), ...(body !== undefined && { body }), status, responseBody });
        return responseBody;
      },
      act: (action, input) => invoke(action, input, account),
      async recordEvent(type, record) {
        const isIt = (event: RecordedEvent) => event.type === type && (record === undefined || event.data.object.id === record);
        events.push(await eventually(() => receiver.events.find(isIt), `${type} of ${record}`));
      },
      async delivered(endpoint, count) {
        const successes = async () =>
          (await send('retrieveWebhook', { id: endpoint }, keys.secret)).responseBody.delivery_stats.success_count === count || undefined;
        await eventually(successes, `${count} deliveries to ${endpoint}`);
      },
      later: () => {
        nowMs += minuteMs;
      },
    });
  } finally {
    await runtime.stop();
    await receiver.stop();
  }
  return normalise({ calls, events }, origin, receiver.origin);
};
