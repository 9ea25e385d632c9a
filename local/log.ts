import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../functions/actions/operations.ts';
import type { Clock } from '../shared/core/clock.ts';
import type { Log } from '../shared/core/log.ts';
import { requestOf } from '../shared/providers/request-line.ts';
import type { RequestLog } from '../shared/providers/request-log.ts';
import { ensureDirectory } from './engine/state.ts';
import type { StartOptions } from './options.ts';

/**
 * Opens the output of log lines: a file, or stderr with `--verbose`. By default it is not stderr,
 * because an unread pipe would stop the service.
 */
const openOutput = ({ dataDir, verbose }: StartOptions): ((line: string) => void) => {
  if (verbose) return (line) => void process.stderr.write(line);
  if (dataDir === undefined) return () => {};
  ensureDirectory(dataDir);
  const file = createWriteStream(join(dataDir, 'service.log'), { flags: 'a' });
  file.on('error', () => {}); // a full disk must not stop the service
  return (line) => void file.write(line);
};

/** The terminal shows notices to the platform too, because they are rare and need a person. */
export const openLog = (options: StartOptions): Log => {
  const write = openOutput(options);
  return (line) => {
    const { notice, reason, account, endpoint, key } = line as Readonly<Record<string, unknown>>;
    if (notice !== undefined) process.stderr.write(`Notice to the platform: ${notice} (${reason}): ${account}, ${endpoint ?? key}\n`);
    write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
  };
};

/** SQLite's message. */
const noSpace = /database or disk is full/;

/** Detects from log lines that the databases have no space left. */
export const watchSpace = (dataDir: string | undefined) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const failed = new Set<unknown>();
  const sentence =
    dataDir === undefined
      ? 'Memory is full, so nothing more can be written: start the service again, or keep state on disk with --data DIR.'
      : `The disk of the data directory ${dataDir} is full, so nothing more can be written: free some space.`;
  return {
    /** Describes the failure and how to fix it. */
    sentence,
    /** Resolves at the first failure, with the sentence. */
    ended: promise,
    /** Reads each line of the log. */
    read(line: Parameters<Log>[0]): void {
      if (!noSpace.test(JSON.stringify(line['error'] ?? ''))) return;
      failed.add(line['rid']);
      resolve(sentence);
    },
    /** Reports whether the request failed for lack of space. Each request can be queried once. */
    failed: (requestId: string): boolean => failed.delete(requestId),
  };
};
export type Space = ReturnType<typeof watchSpace>;

/** Maximum number of requests to remember per region. */
const maxLines = 20_000;

/** Remembers the log lines of a region's requests since the start, instead of CloudWatch Logs. */
interface LocalRequestLog extends RequestLog {
  /** Takes every line of the region's log, and remembers those of API requests. */
  readonly append: Log;
}

export const openLocalRequestLog = (clock: Clock): LocalRequestLog => {
  const lines: { readonly atMs: number; readonly line: Parameters<Log>[0] }[] = [];
  return {
    append(line) {
      const { op, account } = line;
      // Lines of the hosted page have the same fields, but a deployed stack has them in another log.
      if (typeof op !== 'string' || !Object.hasOwn(operations, op) || typeof account !== 'string') return;
      lines.push({ atMs: clock.now(), line });
      if (lines.length > maxLines) lines.splice(0, maxLines / 10);
    },
    search: async (search) =>
      lines
        .flatMap(({ atMs, line }) => requestOf(atMs, line, search) ?? [])
        .reverse()
        .slice(0, search.limit),
  };
};
