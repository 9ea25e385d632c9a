import { setTimeout as wait } from 'node:timers/promises';
import { allRoutes } from '../lib/groups.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { type OpsAccount, openAccount } from './account.ts';
import { failure } from './answer.ts';
import { readOptions } from './arguments.ts';
import type { Stop } from './stop.ts';
import { painter, type Terminal, type VisibleTerminal, visibleLine } from './terminal.ts';

const tailHelp = `Follows the API requests of an account until you press ^C. Each line shows time,
method, route, status, milliseconds and, of a rejected request, the code. In a
pipe it shows the X-Request-Id too. A request without a valid key belongs to no
account.

Usage:
  bakery-ops tail [options]

Options:
  --print-json     one line of JSON per request
  --region R       us, au or eu (default: the first that runs)
  --account ID     account (default: the demo account of the region)
  --port N         port of the local service (default 4000)
  --stack [NAME]   deployed stack; needs --region, --account and the right
                   logs:FilterLogEvents on /aws/lambda/<stack>-api. Lines come
                   some seconds later
`;

/** A request and its response. */
interface Answered {
  /** Time of the request, ISO 8601. */
  readonly time: string;
  readonly method: string;
  /** Path with placeholders, for example `/orders/{id}`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly request_id: string;
  readonly key: string;
  readonly code: string | null;
  /** Whether the response was stored for an earlier request. */
  readonly replayed: boolean;
}

const routes = new Map(allRoutes.map((route) => [route.operation, route]));

/** Returns the request of a log line; undefined for other lines. */
const answeredOf = (timeMs: number, line: Readonly<Record<string, unknown>>): Answered | undefined => {
  const route = routes.get(String(line['op']));
  if (!route) return undefined;
  return {
    time: new Date(timeMs).toISOString(),
    method: route.method,
    route: route.path,
    status: Number(line['status']),
    ms: Number(line['ms']),
    request_id: String(line['rid']),
    key: String(line['key']),
    code: typeof line['code'] === 'string' ? line['code'] : null,
    replayed: line['replay'] === true,
  };
};

const routeWidth = Math.max(...allRoutes.map(({ path }) => path.length));

/** `15:04:05  POST    /orders       201    23 ms  <request id>`; on a terminal without the id, so that it fits 80 columns. */
const lineOf = ({ time, method, route, status, ms, request_id, code, replayed }: Answered, terminal: Terminal): string => {
  const paint = painter(terminal);
  const isShort = terminal.columns !== undefined;
  return [
    new Date(time).toTimeString().slice(0, 8),
    method.padEnd(6),
    route.padEnd(routeWidth),
    paint(status < 400 ? 'green' : status < 500 ? 'yellow' : 'red', String(status)),
    `${ms} ms`.padStart(isShort ? 7 : 8),
    !isShort && paint(undefined, request_id),
    code && paint(undefined, code),
    replayed && 'replayed',
  ]
    .filter(Boolean)
    .join('  ');
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? { ...line } : {};
  } catch {
    return {}; // a line that Lambda wrote
  }
};

type Follow = (
  account: OpsAccount,
  ready: () => void,
  tell: (answered: Answered | undefined) => void,
  stopped: AbortSignal,
) => Promise<void>;

/** More characters than any line of the service's log has. */
const longestLine = 1_000_000;

const followLocal =
  (port: number): Follow =>
  async ({ region, id }, ready, tell, signal) => {
    const query = new URLSearchParams({ region, account: id });
    const { ok, body } = await fetch(`http://127.0.0.1:${port}/_local/requests?${query}`, { signal });
    if (!ok || !body) throw failure(`The service on port ${port} shows no requests. It may be an older version.`);
    ready();
    let rest = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + chunk).split('\n');
        rest = (lines.pop() ?? '').slice(0, longestLine);
        for (const { time, ...line } of lines.map(parse)) tell(answeredOf(Number(time), line));
      }
    } catch {
      // cut off
    }
    throw failure('The service has ended.');
  };

const pollEveryMs = 2000;
/** Maximum time until CloudWatch shows a line. */
const latenessMs = 60_000;

const followDeployed =
  (stack: string, env: Terminal['env']): Follow =>
  async ({ region, id }, ready, tell, signal) => {
    const { logReader } = await import('./deployed.ts');
    const read = logReader(`/aws/lambda/${stack}-api`, region, env);
    const startMs = Date.now();
    let seen = new Map<string, number>();
    for (let isFirst = true; ; isFirst = false) {
      const since = Math.max(startMs, Date.now() - latenessMs);
      const events = await read(`{ $.account = "${id}" }`, since);
      if (isFirst) ready();
      for (const { timestamp, message } of [...events].sort((a, b) => a.timestamp - b.timestamp)) {
        const line = parse(message);
        const request = String(line['rid']);
        // The last minute is read several times, because lines may arrive late.
        if (line['account'] !== id || seen.has(request)) continue;
        seen.set(request, timestamp);
        tell(answeredOf(timestamp, line));
      }
      seen = new Map([...seen].filter(([, timestamp]) => timestamp >= since));
      await wait(pollEveryMs, undefined, { signal });
    }
  };

/** Runs until it is stopped. Rejects with the error to print. */
export const tail = async (args: readonly string[], terminal: VisibleTerminal, watchForStop: () => Stop): Promise<void> => {
  const { env, stdout, stderr, painted } = terminal;
  const { help, values, positionals, choice } = readOptions('tail', args, { 'print-json': { type: 'boolean', default: false } } as const);
  if (help) return stdout(tailHelp);
  if (positionals[0] !== undefined) throw invalidValue('tail', `tail takes no argument "${positionals[0]}".`);
  const { 'print-json': printJson } = values as { 'print-json'?: boolean };
  const account = await openAccount(choice(), env);
  const { target } = account;
  const follow = 'stack' in target ? followDeployed(target.stack, env) : followLocal(target.port);
  const ready = () => stderr(`Following the requests of ${visibleLine(account.name)} (${account.region}, ${account.id}). ^C ends it.\n`);
  const tell = (answered: Answered | undefined) =>
    answered && (printJson ? stdout(`${JSON.stringify(answered)}\n`) : painted.stdout(`${lineOf(answered, terminal)}\n`));
  const stop = watchForStop();
  const abort = new AbortController();
  void stop.asked.then(() => abort.abort());
  try {
    await follow(account, ready, tell, abort.signal);
  } catch (error) {
    if (!abort.signal.aborted) throw error;
  } finally {
    stop.release();
  }
};
