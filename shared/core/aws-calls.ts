const dropLine = (): void => undefined;

/**
 * A logger without `info` and `error`. For the SDK's usual logger, which has both and drops every
 * line, a client copies the input and output of each call. That is a sixth of the work of a call of
 * the table.
 */
const logger = { trace: dropLine, debug: dropLine, warn: dropLine } as never;

/**
 * Limits for every AWS client: the number of tries, and the time to wait for a connection and for
 * the headers of a response.
 */
export const callLimits = {
  logger,
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
} as const;

/** Returns the signal that aborts a call which starts now. */
export type CallLimit = () => AbortSignal;

/** Aborts a call after `ms` of real time. */
export const callLimitOf =
  (ms: number): CallLimit =>
  () =>
    AbortSignal.timeout(ms);

/**
 * The limit of a deployed function's calls. An API operation makes up to three calls one after
 * another within its function's 29 s.
 */
export const deployedLimit = callLimitOf(9_000);

/**
 * Returns a client that aborts each call at its limit with an `AbortError`. The limit includes
 * retries, pauses and reading the body. The SDK's `requestTimeout` covers only the time to the
 * headers. If a body stalled, that timeout would not end the call.
 */
export const withCallLimit = <Client extends { readonly send: unknown }>(client: Client, limit: CallLimit = deployedLimit): Client => {
  const send = (client.send as (command: unknown, options?: object) => unknown).bind(client);
  return Object.assign(client, {
    send: (command: unknown, options?: object) => send(command, { abortSignal: limit(), ...options }),
  });
};

/** Thrown if a service throttled a call, failed or did not respond, so that nothing is known of its data. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** Thrown if a service does not let the function read what it needs, which is a fault of the deployment. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
}

/** Number of entries that SQS and EventBridge take in one call. */
export const batchSize = 10;

/** Returns the items in batches, in their order, for calls that take a batch. */
export const batchesOf = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / batchSize) }, (_, i) => items.slice(i * batchSize, (i + 1) * batchSize));
