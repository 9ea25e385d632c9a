import { ApiError } from '../shared/core/errors.ts';

/** What both targets are sent. */
export interface ActionEvent {
  readonly action: string;
  readonly account?: string | undefined;
  readonly input?: unknown;
  /** The same with every try of the call, so that it is done once. */
  readonly token: string;
}

/** An error as the service worded it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly body: { readonly error: Record<string, unknown> };

  constructor(error: Record<string, unknown>) {
    super(String(error['message']));
    this.body = { error };
  }
}

export const failure = (message: string, cause?: unknown): ApiError => new ApiError('internal_error', message, { cause });
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const noAnswer = (from: string): string => `${from} answered something that is no answer of an action.`;

export const parseAnswer = (text: string, from: string): Record<string, unknown> => {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return { ...answer };
  } catch {
    // said below
  }
  throw failure(noAnswer(from));
};

/** The result of an answer; throws the refusal that the service put into words. */
export const resultOf = (answer: Record<string, unknown>, from: string): unknown => {
  if (answer['ok'] === true) return answer['result'];
  // What the local runtime refuses before the action is asked has its envelope at the top.
  const { error } = ((answer['ok'] === false ? answer['body'] : answer) ?? {}) as { error?: unknown };
  if (typeof error !== 'object' || error === null) throw failure(noAnswer(from));
  throw new Refusal({ ...error });
};
