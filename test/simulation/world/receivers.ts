import { type AttemptResult, answered, noResponse } from '../../../shared/webhooks/outcome.ts';
import type { Sender } from '../../../shared/webhooks/sender.ts';
import { BrokenConnection, connectionFates, type Process } from '../scheduler/process.ts';
import type { Random } from '../scheduler/random.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';

export const temperaments = [
  ...(['steady', 'flaky', 'broken', 'hanging', 'recovering'] as const),
  // Answers at the last moment, or just after it; drips what it never ends; resets; answers with
  // what is no status; is gone; sends far too much.
  ...(['slow', 'late', 'dripping', 'resetting', 'garbled', 'gone', 'huge', 'redirecting', 'unreachable'] as const),
] as const;
export type Temperament = (typeof temperaments)[number];

/** A request to a receiver, from its beginning on. */
export interface Attempt {
  readonly url: string;
  readonly event: string;
  readonly body: string;
  /** As it was sent, byte for byte. */
  readonly raw: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent by a test of the endpoint: stored and counted nowhere. */
  readonly isTest: boolean;
  readonly process: Process;
  /** Which one of the process. */
  readonly invocation: number;
  /** When the invocation began that sends it. */
  readonly invokedMs: number;
  readonly begunMs: number;
  /** The sender's result; undefined until it is known. */
  result: AttemptResult | undefined;
  endedMs: number | undefined;
}

const timeoutMs = 30_000;

/** A status, or none without a valid response; its duration, and how long the body takes. */
interface Behaviour {
  readonly status: number | undefined;
  readonly ms: number;
  readonly bodyMs?: number;
}

/** Behavior of unusual servers. The sender's own tests cover them on sockets. */
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

/** Returns a receiver's behavior for one request. */
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

/** A failure is answered with what was sent: the worst that a receiver may say of a person. */
const withEcho = (result: AttemptResult, body: string): AttemptResult =>
  result.success ? result : { ...result, answer: { contentType: 'application/json', body: Buffer.from(body).subarray(0, 1_000) } };

/** The hosts of all endpoints: each URL has a temperament, and remembers what was sent to it. */
export class Receivers {
  readonly attempts: Attempt[] = [];
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #hosts = new Map<string, { readonly temperament: Temperament; readonly sinceMs: number }>();

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
    this.#random = scheduler.stream('receivers');
  }

  /** A URL that no endpoint had before. */
  open(temperament: Temperament): string {
    const url = `https://hooks.example.com/${temperament}/${this.#hosts.size + 1}`;
    this.#hosts.set(url, { temperament, sinceMs: this.#scheduler.now() });
    return url;
  }

  /** The sender of one process: as the real one, it never rejects. */
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
              // A test of an endpoint waits less long than a delivery.
              return behaviour.ms < mostMs ? behaviour : { status: undefined, ms: mostMs };
            },
            tookMs: ({ ms, bodyMs = 0 }) => ms + bodyMs,
          })
          .then(
            ({ status, ms }) => (status === undefined ? noResponse : withEcho(answered(status, ms), String(body))),
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
