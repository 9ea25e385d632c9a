import { type AttemptResult, noResponse, resultOfStatus } from '../../../shared/webhooks/outcome.ts';
import type { Sender } from '../../../shared/webhooks/sender.ts';
import { BrokenConnection, connectionFates, type Process } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

export const temperaments = [
  ...(['steady', 'flaky', 'broken', 'hanging', 'recovering'] as const),
  // Responds just before or after the timeout, sends an endless body slowly, resets the connection,
  // responds without a valid status, does not exist, or sends far too much.
  ...(['slow', 'late', 'dripping', 'resetting', 'garbled', 'gone', 'huge', 'redirecting', 'unreachable'] as const),
] as const;
export type Temperament = (typeof temperaments)[number];

/** A request to a receiver. */
export interface Attempt {
  readonly url: string;
  readonly event: string;
  readonly body: string;
  /** The body as it was sent. */
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is a test of the endpoint, which is not stored and not counted. */
  readonly isTest: boolean;
  readonly process: Process;
  /** The number of the invocation in its process. */
  readonly invocation: number;
  /** When its invocation started. */
  readonly invokedMs: number;
  readonly begunMs: number;
  /** The sender's result; undefined until then. */
  result: AttemptResult | undefined;
  endedMs: number | undefined;
}

const timeoutMs = 30_000;

/**
 * The status, undefined without a valid response; the time to the headers, and that of the body.
 */
interface Behaviour {
  readonly status: number | undefined;
  readonly ms: number;
  readonly bodyMs?: number;
}

/** Returns the behaviour of an unusual server. The sender's own tests cover these on sockets. */
const odd = (temperament: Temperament, random: Random, quick: number): Behaviour | undefined => {
  switch (temperament) {
    case 'slow':
      return { status: 200, ms: timeoutMs - 1 - random.below(9_000) };
    case 'late':
      return random.chance(0.5) ? { status: 200, ms: timeoutMs - 1 } : { status: undefined, ms: timeoutMs };
    case 'dripping':
      return { status: 200, ms: quick, bodyMs: 1_000 };
    case 'huge':
      return random.chance(0.5) ? { status: 200, ms: quick, bodyMs: random.below(1_000) } : { status: undefined, ms: quick };
    case 'resetting':
    case 'garbled':
    case 'unreachable':
      return { status: undefined, ms: temperament === 'garbled' ? quick : random.below(2_000) };
    case 'gone':
      return { status: 410, ms: quick };
    case 'redirecting':
      return { status: random.pick([301, 302, 303, 307, 308]), ms: quick };
    default:
      return undefined;
  }
};

/** Returns a receiver's behaviour for one request. */
const behave = (temperament: Temperament, random: Random, ageMs: number): Behaviour => {
  const quick = 3 + random.below(200);
  const oddity = odd(temperament, random, quick);
  if (oddity) return oddity;
  const fault = { status: random.pick([500, 503, 404, 301]), ms: quick };
  if (temperament === 'broken') return fault;
  if (temperament === 'hanging') return { status: undefined, ms: timeoutMs };
  if (temperament === 'flaky' && random.chance(0.4)) return random.chance(0.2) ? { status: undefined, ms: timeoutMs } : fault;
  if (temperament === 'recovering' && ageMs < 2 * 3_600_000) return fault;
  return { status: random.pick([200, 204]), ms: quick };
};

/** Adds the request's body to a failure's response, because a receiver may echo personal data. */
const withEcho = (result: AttemptResult, body: string): AttemptResult =>
  result.success
    ? result
    : { ...result, receiverResponse: { contentType: 'application/json', body: Buffer.from(body).subarray(0, 1_000) } };

/** The receivers of all endpoints. Each URL has a temperament and records its requests. */
export class Receivers {
  readonly attempts: Attempt[] = [];
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #hosts = new Map<string, { readonly temperament: Temperament; readonly sinceMs: number }>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#random = scheduler.stream('receivers');
  }

  /** Returns a new URL with a temperament. */
  open(temperament: Temperament): string {
    const url = `https://hooks.example.com/${temperament}/${this.#hosts.size + 1}`;
    this.#hosts.set(url, { temperament, sinceMs: this.#scheduler.now() });
    return url;
  }

  /** Returns the sender for a process. Like the real one, it never rejects. */
  from(process: Process): Sender {
    const random = this.#random;
    return {
      close: () => undefined,
      send: async ({ url, headers, body, timeoutMs: mostMs }) => {
        const attempt: Attempt = {
          ...{
            url,
            event: String(headers['X-Webhook-Id']),
            body: String(body),
            raw: Buffer.from(body),
            headers,
            process,
            invocation: process.invocations,
            invokedMs: process.invokedMs,
          },
          isTest: (JSON.parse(String(body)) as { readonly type: string }).type === 'webhook.test',
          ...{ begunMs: this.#scheduler.now(), result: undefined, endedMs: undefined },
        };
        this.attempts.push(attempt);
        const result = await process
          .call({
            what: `POST ${url}`,
            faults: connectionFates,
            carry: () => {
              const host = this.#hosts.get(url);
              if (!host) throw new Error(`Nobody has the URL ${url}.`);
              const behaviour = behave(host.temperament, random, this.#scheduler.now() - host.sinceMs);
              // A test of an endpoint has a shorter timeout than a delivery.
              return behaviour.ms < mostMs ? behaviour : { status: undefined, ms: mostMs };
            },
            tookMs: ({ ms, bodyMs = 0 }) => ms + bodyMs,
          })
          .then(
            ({ status, ms }) => (status === undefined ? noResponse : withEcho(resultOfStatus(status, ms), String(body))),
            (error: unknown) => {
              if (error instanceof BrokenConnection) return noResponse;
              throw error;
            },
          );
        Object.assign(attempt, { result, endedMs: this.#scheduler.now() });
        return result;
      },
    };
  }
}
