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
    ? { name: error.name, message: error.message.slice(0, 500), stack: error.stack?.split('\n').slice(1, 5).join('|') }
    : { name: 'unknown', message: String(error).slice(0, 500) };
