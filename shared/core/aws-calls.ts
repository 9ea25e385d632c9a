/**
 * How often a client of the SDK tries, and how long it waits for a connection and for the headers
 * of a response.
 */
export const callLimits = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** An API operation makes up to three calls one after another, and its function has 29 s. */
const wholeCallMs = 9_000;

interface Sender {
  readonly send: unknown;
}

/**
 * Returns a client that ends its calls after `ms` with an `AbortError`, with retries, pauses and
 * the body of the response. `requestTimeout` ends at the headers, so a body that stops would hold a
 * function until its own timeout.
 */
export const bounded = <Client extends Sender>(client: Client, ms: number = wholeCallMs): Client => {
  const send = (client.send as (command: unknown, options?: object) => unknown).bind(client);
  return Object.assign(client, {
    send: (command: unknown, options?: object) => send(command, { abortSignal: AbortSignal.timeout(ms), ...options }),
  });
};
