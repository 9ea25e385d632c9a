import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError as ApiRefusal, type Client, createClient, type Delivery, type ResponseInfo } from '../clients/typescript/src/index.ts';
import { failure, reasonOf } from './answer.ts';

/** The steps that a check tests, in order. The runbook has a row for each. */
export const linkNames = ['Address', 'Actions', 'Webhook', 'Write', 'Replay', 'Read', 'Delivery', 'Retry', 'Erasure'] as const;
type LinkName = (typeof linkNames)[number];

const section = 'docs/runbook.md#a-check-of-a-stack-fails';

/** Returns an error that names the broken step. */
export const broken = (name: LinkName, error: unknown): Error =>
  failure(`${name}: ${reasonOf(error).replace(/\.$/, '')}. See ${section}.`, error);

const sentenceOf = (what: string, error: unknown): Error => {
  if (error instanceof Ended) return error;
  const verb = error instanceof ApiRefusal ? 'was answered with' : 'failed:';
  return new Error(`${what} ${verb} ${reasonOf(error)}`, { cause: error });
};

/** Returns the values that the steps share. */
export const startChecking = (times: CheckTimes, signal: AbortSignal, print: (line: string) => void) => ({
  times,
  /** Aborted when the check's time is over or the operator stops it. */
  signal,
  /** Runs a step and prints its result. Throws `broken`. */
  async link<Result>(name: LinkName, prove: () => Promise<Result>, shows: (result: Result) => string): Promise<Result> {
    const startMs = performance.now();
    try {
      const result = await prove();
      print(`${name.padEnd(8)}  ok  ${shows(result)} (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
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

/** Returns the first delivery of the endpoint that has an attempt. */
const attempted = async ({ times, signal: outer, call }: Checking, client: Client, endpoint: string): Promise<Delivery> => {
  const { signal, end } = startDeadline(times.deliveryMs, '', outer);
  let record: Delivery | undefined;
  try {
    for (;;) {
      const page = await call('GET /webhooks/{id}/events', (one) =>
        client.webhooks.listEvents(endpoint, {}, { signal: AbortSignal.any([one, signal]) }),
      );
      record = page.data[0];
      if (record?.last_attempt_at) return record;
      await wait(times.pollMs, undefined, { signal });
    }
  } catch (error) {
    if (outer.aborted) throw outer.reason;
    if (!signal.aborted) throw error;
    const what = record ? 'the delivery has had no attempt' : "the endpoint's delivery record does not exist";
    throw new Error(`${what} after ${secondsOf(times.deliveryMs)}`);
  } finally {
    end();
  }
};

/** A path that does not exist, so each delivery gets a 404. */
const unknownPath = '/ops-check/no-such-path';
const eventType = 'expense.created';
const isReplay = ({ headers }: ResponseInfo): boolean => headers.get('idempotent-replayed') === 'true';

interface Api {
  readonly client: Client;
  /** Id of the webhook endpoint that the check registered. */
  readonly endpoint: string;
}

const proveWrites = async ({ link, call }: Checking, { client }: Api, idempotencyKey: string): Promise<void> => {
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
};

const proveDelivery = async (checking: Checking, { client, endpoint }: Api): Promise<void> => {
  const { link } = checking;
  const proveAttempt = async () => {
    const record = await attempted(checking, client, endpoint);
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
};

/**
 * Tests the API and the delivery of webhooks from outside, with a key of the account. `origin` is
 * the stack's ApiUrl.
 */
export const proveApi = async (
  checking: Checking,
  { origin, apiKey, idempotencyKey }: { readonly origin: string; readonly apiKey: string; readonly idempotencyKey: string },
): Promise<void> => {
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
  await proveDelivery(checking, api);
};

/** Milliseconds that a check may take. */
export const checkTimes = {
  /** Limit of the whole command. */
  totalMs: 120_000,
  /** Time reserved for erasing the account. */
  eraseMs: 30_000,
  /**
   * Limit of one call. It is longer than the 29 s of an API function, so a request that was given
   * up writes nothing later.
   */
  callMs: 30_000,
  /** Limit from the write to the first attempt of its delivery. */
  deliveryMs: 60_000,
  pollMs: 500,
};
export type CheckTimes = Readonly<typeof checkTimes>;

export const secondsOf = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** Thrown when a time limit ends something. The message is a sentence without its full stop. */
class Ended extends Error {
  override readonly name = 'Ended';
}

/**
 * Returns a signal that is aborted after `ms` with an `Ended`, or earlier together with `outer`.
 */
export const startDeadline = (ms: number, sentence: string, outer?: AbortSignal) => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Ended(sentence)), ms);
  return {
    signal: AbortSignal.any([controller.signal, ...(outer ? [outer] : [])]),
    abort: (reason: string) => controller.abort(new Ended(reason)),
    end: () => clearTimeout(timer),
  };
};

interface Limit {
  readonly ms: number;
  readonly sentence: string;
  readonly outer?: AbortSignal;
}

/**
 * Returns the result of the work. Rejects with `Ended` after the limit, even if the work ignores
 * its signal.
 */
export const within = async <Result>({ ms, sentence, outer }: Limit, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> => {
  const { signal, end } = startDeadline(ms, sentence, outer);
  try {
    signal.throwIfAborted();
    const late = once(signal, 'abort').then(() => Promise.reject(signal.reason));
    return await Promise.race([work(signal), late]);
  } finally {
    end();
  }
};
