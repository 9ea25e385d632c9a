/** Returns the reason of an aborted signal. Polyfills of React Native have none. */
export const reasonOf = (signal: AbortSignal): unknown => {
  if (signal.reason !== undefined) return signal.reason;
  const error = new Error('The call was aborted.');
  error.name = 'AbortError';
  return error;
};

/** Throws the signal's reason if it is aborted. Polyfills have no `throwIfAborted`. */
export const throwIfAborted = (signal: AbortSignal | undefined): void => {
  if (signal?.aborted) throw reasonOf(signal);
};

/** Throws for a value that is no signal, for example the controller, before a request is sent. */
export const assertSignal = (signal: AbortSignal | undefined): void => {
  if (signal !== undefined && (typeof signal?.aborted !== 'boolean' || typeof signal.addEventListener !== 'function'))
    throw new TypeError('signal is no AbortSignal. Pass the signal of an AbortController: controller.signal.');
};
