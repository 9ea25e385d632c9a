import { ApiError } from '../shared/core/errors.ts';

/** The call that the local service and a deployed function receive. */
export interface ActionEvent {
  readonly action: string;
  readonly account?: string | undefined;
  readonly input?: unknown;
  /**
   * The same in all tries of a call, so that the action runs once. Without a token no response is
   * stored.
   */
  readonly token?: string;
}

/** A command's result, or a text to print. */
export type Outcome = string | { readonly result: unknown };

/** An error that the service returned. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly body: { readonly error: Record<string, unknown> };

  constructor(error: Record<string, unknown>) {
    super(String(error['message']));
    this.body = { error };
  }
}

/** Returns a function that throws if a cursor comes twice, because the pages would never end. */
export const createCursorCheck = (): ((cursor: unknown) => void) => {
  const seen = new Set<unknown>();
  return (cursor) => {
    if (seen.has(cursor)) throw failure('The service returned the same cursor twice, so the pages would never end.');
    seen.add(cursor);
  };
};

export const failure = (message: string, cause?: unknown): ApiError => new ApiError('internal_error', message, { cause });
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const noResponseMessage = (from: string): string => `${from} did not return the response of an action.`;

export const parseResponse = (text: string, from: string): Record<string, unknown> => {
  try {
    const response: unknown = JSON.parse(text);
    if (typeof response === 'object' && response !== null) return { ...response };
  } catch {
    // The error below is thrown.
  }
  throw failure(noResponseMessage(from));
};

/** Returns the result of a response. Throws the service's error. */
export const resultOf = (response: Record<string, unknown>, from: string): unknown => {
  if (response['ok'] === true) return response['result'];
  // The local service rejects some calls before the action runs. Their error is at the top level.
  const { error } = ((response['ok'] === false ? response['body'] : response) ?? {}) as { error?: unknown };
  if (typeof error !== 'object' || error === null) throw failure(noResponseMessage(from));
  throw new ServiceError({ ...error });
};
