import type middy from '@middy/core';
import type { Clock } from './clock.ts';
import { Rejection } from './errors.ts';
import { cutText } from './text.ts';

/**
 * Writes one log line per request, attempt or batch. Lines contain ids and counts, never secrets,
 * bodies or paths.
 */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

export const jsonLog: Log = (line) => {
  process.stdout.write(`${JSON.stringify(line)}\n`);
};

/** Returns name, message and first stack frames of an unexpected error, for the log only. */
export const describeError = (error: unknown): Record<string, unknown> =>
  error instanceof Error
    ? { name: error.name, message: cutText(error.message, 500), stack: error.stack?.split('\n').slice(1, 5).join('|') }
    : { name: 'unknown', message: cutText(String(error), 500) };

/** A call of a function: its start, and fields that its steps add to its log line. */
export interface Invocation {
  readonly nowMs: number;
  readonly logged: Record<string, unknown>;
}

const errorFields = (error: unknown): Readonly<Record<string, unknown>> => {
  if (error === undefined) return {};
  return error instanceof Rejection ? error.logged : { code: 'internal_error', error: describeError(error) };
};

/**
 * Returns the middleware that writes the log line of each invocation: `fields`, the duration `ms`,
 * what the steps added, and why the invocation was rejected or failed.
 */
export const logLine = <Event extends Invocation, Result>(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  fields: (request: middy.Request<Event, Result>) => Readonly<Record<string, unknown>>,
) => {
  const write = (request: middy.Request<Event, Result>): undefined => {
    const { event, error } = request;
    log({ ...fields(request), ms: clock.now() - event.nowMs, ...event.logged, ...errorFields(error) });
  };
  return { after: write, onError: write };
};
