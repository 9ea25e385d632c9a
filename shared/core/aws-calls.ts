/**
 * Limits for every AWS client: the number of tries, and the time to wait for a connection and for
 * the headers of a response.
 */
export const callLimits = {
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** An API operation makes up to three calls one after another within its function's 29 s. */
const wholeCallMs = 9_000;

interface Sender {
  readonly send: unknown;
}

/**
 * Returns a client that aborts each call after `ms` with an `AbortError`. The time includes
 * retries, pauses and reading the body. The SDK's `requestTimeout` covers only the time to the
 * headers. If a body stalled, that timeout would not end the call.
 */
export const bounded = <Client extends Sender>(client: Client, ms: number = wholeCallMs): Client => {
  const send = (client.send as (command: unknown, options?: object) => unknown).bind(client);
  return Object.assign(client, {
    send: (command: unknown, options?: object) => send(command, { abortSignal: AbortSignal.timeout(ms), ...options }),
  });
};
