import { setTimeout as wait } from 'node:timers/promises';
import {
  type Client,
  ApiError as ClientApiError,
  createClient,
  type Delivery,
  type ResponseInfo,
} from '../clients/typescript/src/index.ts';
import { type CheckTimes, Ended, secondsOf, startDeadline, within } from './check-times.ts';
import { failure, reasonOf } from './response.ts';

/** The steps that a check tests, in order. The runbook has a row for each. */
export const linkNames = [
  'Address',
  'Health',
  'Actions',
  'Webhook',
  'Write',
  'Replay',
  'Read',
  'List',
  'Delivery',
  'Retry',
  'Secrets',
  'Redelivery',
  'Sweep',
  'Requests',
  'Schedule',
  'Parking',
  'Erasure',
] as const;
type LinkName = (typeof linkNames)[number];

export const nameWidth = Math.max(...linkNames.map((name) => name.length));

const section = 'docs/runbook.md#a-check-of-a-stack-fails';

/** Returns an error that names the broken step. */
export const broken = (name: LinkName, error: unknown): Error =>
  failure(`${name}: ${reasonOf(error).replace(/\.$/, '')}. See ${section}.`, error);

const sentenceOf = (what: string, error: unknown): Error => {
  if (error instanceof Ended) return error;
  const verb = error instanceof ClientApiError ? 'was answered with' : 'failed:';
  return new Error(`${what} ${verb} ${reasonOf(error)}`, { cause: error });
};

/** Returns the values that the steps share. */
export const startChecking = (times: CheckTimes, signal: AbortSignal, pass: (name: LinkName, text: string) => void) => ({
  times,
  /** Aborted when the check's time is over or the operator stops it. */
  signal,
  /** Runs a step and prints its result. Throws `broken`. */
  async link<Result>(name: LinkName, prove: () => Promise<Result>, shows: (result: Result) => string): Promise<Result> {
    const startMs = performance.now();
    try {
      const result = await prove();
      pass(name, `${shows(result)} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
      return result;
    } catch (error) {
      throw broken(name, error);
    }
  },
  /** Makes a call with a time limit. Throws an error that names the call. */
  async call<Result>(what: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const sentence = `${what} has no answer after ${secondsOf(times.callMs)}`;
    try {
      return await within({ ms: times.callMs, sentence, outer: signal }, work);
    } catch (error) {
      throw sentenceOf(what, error);
    }
  },
});
export type Checking = ReturnType<typeof startChecking>;

interface Polling {
  /** Limit in milliseconds. */
  readonly ms: number;
  readonly pollMs: number;
  /** Returns the sentence of the error after the limit, without the time. */
  readonly missing: () => string;
}

/** Repeats the question until it returns a value. Throws after the limit. */
export const polled = async <Value>(
  outer: AbortSignal,
  { ms, pollMs, missing }: Polling,
  ask: (signal: AbortSignal) => Promise<Value | undefined>,
): Promise<Value> => {
  const { signal, end } = startDeadline(ms, '', outer);
  try {
    for (;;) {
      const value = await ask(signal);
      if (value !== undefined) return value;
      await wait(pollMs, undefined, { signal });
    }
  } catch (error) {
    if (outer.aborted) throw outer.reason;
    if (!signal.aborted) throw error;
    throw new Error(`${missing()} after ${secondsOf(ms)}`);
  } finally {
    end();
  }
};

/** Returns the first delivery of the endpoint when it has an attempt that began at `sinceMs` or later. */
export const attempted = (
  { signal: outer, call }: Checking,
  { client, endpoint }: Api,
  { sinceMs, ...limits }: { readonly sinceMs: number; readonly ms: number; readonly pollMs: number },
): Promise<Delivery> => {
  let record: Delivery | undefined;
  const missing = () => (record ? 'the delivery has had no attempt' : "the endpoint's delivery record does not exist");
  return polled(outer, { ...limits, missing }, async (signal) => {
    const page = await call('GET /webhooks/{id}/events', (one) =>
      client.webhooks.listEvents(endpoint, {}, { signal: AbortSignal.any([one, signal]) }),
    );
    record = page.data[0];
    return record?.last_attempt_at && Date.parse(record.last_attempt_at) >= sinceMs ? record : undefined;
  });
};

/** A path that does not exist, so each delivery gets a 404. */
const unknownPath = '/ops-check/no-such-path';
const eventType = 'expense.created';
const isReplay = ({ headers }: ResponseInfo): boolean => headers.get('idempotent-replayed') === 'true';

export interface Api {
  readonly client: Client;
  /** Id of the webhook endpoint that the check registered. */
  readonly endpoint: string;
}

/** Tests that the public address leads to the region. */
export const proveHealth = ({ link, call }: Checking, origin: string, region: string): Promise<unknown> => {
  const ask = async (signal: AbortSignal) => {
    const response = await fetch(`${origin}/health`, { signal, redirect: 'error' });
    if (response.status !== 200) throw new Error(`it returned ${response.status}`);
    return (await response.json()) as { readonly region?: unknown; readonly version?: unknown };
  };
  const prove = async () => {
    const found = await call('GET /health', ask);
    if (found.region !== region) throw new Error(`GET /health returned the region ${JSON.stringify(found.region)} instead of ${region}`);
    return found.version;
  };
  return link('Health', prove, (version) => `GET /health returned region ${region}, version ${version}`);
};

const proveWrites = async ({ link, call, signal: outer, times }: Checking, { client }: Api, idempotencyKey: string): Promise<void> => {
  const body = { amount: 1, date: new Date().toISOString().slice(0, 10), category: 'packaging', description: 'Temporary: ops check' };
  let replayed = false;
  const onResponse = (response: ResponseInfo) => {
    replayed = isReplay(response);
  };
  const post = () => call('POST /expenses', (signal) => client.expenses.create(body, { idempotencyKey, onResponse, signal }));
  const { id } = await link('Write', post, (expense) => `POST /expenses wrote ${expense.id}`);
  const proveReplay = async () => {
    const again = await post();
    if (again.id !== id) throw new Error(`the second POST /expenses with one Idempotency-Key wrote another expense, ${again.id}`);
    if (!replayed) throw new Error('the second POST /expenses with one Idempotency-Key does not say Idempotent-Replayed: true');
  };
  await link('Replay', proveReplay, () => 'a second POST with its Idempotency-Key returned the same expense as a replay');
  const proveRead = async () => {
    const read = await call(`GET /expenses/${id}`, (signal) => client.expenses.retrieve(id, { signal }));
    if (read.description !== body.description) throw new Error(`GET /expenses/${id} returned another expense`);
  };
  await link('Read', proveRead, () => `GET /expenses/${id} returned it`);
  // Lists are read from an index, which follows the table a moment later.
  const limits = { ms: times.listMs, pollMs: times.pollMs, missing: () => `GET /expenses has not listed ${id}` };
  const proveList = () =>
    polled(outer, limits, async (signal) => {
      const page = await call('GET /expenses', (one) => client.expenses.list({}, { signal: AbortSignal.any([one, signal]) }));
      return page.data.find((expense) => expense.id === id);
    });
  await link('List', proveList, () => 'GET /expenses lists it');
};

/** Returns the event of the delivery. */
const proveDelivery = async (checking: Checking, api: Api): Promise<string> => {
  const { link, times } = checking;
  const proveAttempt = async () => {
    const record = await attempted(checking, api, { sinceMs: 0, ms: times.deliveryMs, pollMs: times.pollMs });
    const { last_status_code: status, last_error: error } = record;
    if (status === 404 && record.attempts > 0) return record;
    throw new Error(
      `the delivery to the stack's own address ended with ${status ?? 'no status'} (${error ?? record.status}) instead of 404`,
    );
  };
  const record = await link('Delivery', proveAttempt, ({ id }) => `${id} was delivered to the stack's own address, which returned 404`);
  const proveRetry = async () => {
    // A service with `--time-scale` may have made the retry already.
    if (record.attempts === 1 && record.next_retry_at === null) throw new Error('the delivery record has no next_retry_at');
    return record.next_retry_at ?? record.last_attempt_at;
  };
  await link('Retry', proveRetry, (at) => `its retry is arranged for ${at}`);
  return record.id;
};

/**
 * Tests the API and the delivery of webhooks from outside, with a key of the account. `origin` is
 * the stack's ApiUrl. Returns the event that was delivered.
 */
export const proveApi = async (
  checking: Checking,
  { origin, apiKey, idempotencyKey }: { readonly origin: string; readonly apiKey: string; readonly idempotencyKey: string },
): Promise<Api & { readonly event: string }> => {
  const { link, call, times } = checking;
  const client = createClient({ apiKey, baseUrl: `${origin}/api/v2`, maxRetries: 2, timeoutMs: times.callMs });
  const url = `${origin}${unknownPath}`;
  const register = () =>
    call('POST /webhooks', (signal) =>
      client.webhooks.create({ url, events: [eventType], description: 'Temporary: ops check' }, { signal }),
    );
  // The endpoint is registered before the expense, so that it receives the expense's event.
  const { id: endpoint } = await link('Webhook', register, ({ id }) => `POST /webhooks registered ${id} at ${url}`);
  const api = { client, endpoint };
  await proveWrites(checking, api, idempotencyKey);
  return { ...api, event: await proveDelivery(checking, api) };
};
