import { setTimeout as wait } from 'node:timers/promises';
import type { ActionOutput } from '../functions/actions/index.ts';
import { allRoutes } from '../functions/groups.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { apiPrefix } from '../shared/core/routes.ts';
import { type OpsAccount, openAccount } from './account.ts';
import { accountOptions, readOptions } from './arguments.ts';
import { createCursorCheck, ServiceError } from './response.ts';
import type { Stop } from './stop.ts';
import { emphasized, painter, type Terminal, type VisibleTerminal, visibleLine, wrapped } from './terminal.ts';

const tailHelp = `Follows the API requests of an account until you press ^C. Each line shows time,
method, route, status, milliseconds and, of a rejected request, code and field.
In a pipe it shows the X-Request-Id too. A request without a valid key belongs
to no account.

Usage:
  bakery-ops tail [options]

Options:
  --print-json     one line of JSON per request
${accountOptions}
  --stack [NAME]   deployed stack; needs --region and --account. Lines come some
                   seconds later
`;

type LoggedRequest = ActionOutput<'request.list'>['data'][number];

const routeWidth = Math.max(...allRoutes.map(({ path }) => path.length));

/** `15:04:05  POST    /orders       201    23 ms  <request id>`; on a terminal without the id, so that it fits 80 columns. */
const lineOf = (request: LoggedRequest, terminal: Terminal): string => {
  const { time, method, route, status, duration_ms, request_id, error_code, field } = request;
  const paint = painter(terminal);
  const isShort = terminal.columns !== undefined;
  return [
    new Date(time).toTimeString().slice(0, 8),
    (method ?? '').padEnd(6),
    (route ?? '').replace(apiPrefix, '').padEnd(routeWidth),
    paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
    `${duration_ms} ms`.padStart(isShort ? 7 : 8),
    !isShort && paint(undefined, request_id),
    error_code && paint(undefined, [error_code, field].filter(Boolean).join(' ')),
  ]
    .filter(Boolean)
    .join('  ');
};

/** Maximum time until a search of a deployed log finds a line. */
const latenessMs = 60_000;

/** Returns all requests since the time, oldest first, and the time until which the service searched. */
const requestsSince = async ({ act }: OpsAccount, since: string | undefined) => {
  const found: LoggedRequest[] = [];
  const check = createCursorCheck();
  for (let cursor: string | undefined; ; ) {
    const page = await act('request.list', { ...(since && { since }), ...(cursor && { cursor }), limit: since ? 100 : 1 });
    found.push(...page.data);
    cursor = page.pagination.next_cursor ?? undefined;
    if (!since || !cursor) return { requests: found.reverse(), untilMs: Date.parse(page.searched_until) };
    check(cursor);
  }
};

/** Whether too many searches run: the next one finds what this one did not. */
const isBusy = (error: unknown): boolean => error instanceof ServiceError && error.body.error['code'] === 'limit_reached';

const follow = async (
  account: OpsAccount,
  ready: () => void,
  onRequest: (request: LoggedRequest) => void,
  signal: AbortSignal,
): Promise<void> => {
  const pollEveryMs = 'stack' in account.target ? 2000 : 500;
  const { untilMs: startMs } = await requestsSince(account, undefined);
  let sinceMs = startMs;
  let seen = new Map<string, number>();
  ready();
  for (;;) {
    await wait(pollEveryMs, undefined, { signal });
    const found = await requestsSince(account, new Date(sinceMs).toISOString()).catch((error: unknown) => {
      if (!isBusy(error)) throw error;
    });
    if (!found) continue;
    for (const request of found.requests) {
      // The last minute is read several times, because lines may arrive late.
      if (seen.has(request.request_id)) continue;
      seen.set(request.request_id, Date.parse(request.time));
      onRequest(request);
    }
    sinceMs = Math.max(startMs, found.untilMs - latenessMs);
    seen = new Map([...seen].filter(([, timeMs]) => timeMs >= sinceMs));
  }
};

/** Runs until it is stopped. Rejects with the error to print. */
export const tail = async (args: readonly string[], terminal: VisibleTerminal, watchForStop: () => Stop): Promise<void> => {
  const { env, stdout, stderr, painted } = terminal;
  const { help, values, positionals, choice } = readOptions('tail', args, { 'print-json': { type: 'boolean', default: false } });
  if (help) return painted.stdout(emphasized(tailHelp, terminal));
  if (positionals[0] !== undefined) throw invalidValue('tail', `tail takes no argument "${positionals[0]}".`);
  const { 'print-json': printJson } = values;
  const account = await openAccount(choice(), env);
  const ready = () => stderr(`Following the requests of ${visibleLine(account.name)} (${account.region}, ${account.id}). ^C ends it.\n`);
  const printRequest = (request: LoggedRequest) =>
    printJson ? stdout(`${JSON.stringify(request)}\n`) : painted.stdout(wrapped(`${lineOf(request, terminal)}\n`, terminal));
  const stop = watchForStop();
  const abort = new AbortController();
  void stop.requested.then(() => abort.abort());
  try {
    await follow(account, ready, printRequest, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    stop.release();
  }
};
