import * as v from 'valibot';
import { ApiError, invalidValue } from '../../shared/core/errors.ts';
import { endOfRange, momentMs, record, recordId } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { pageBody, pageRequest } from '../../shared/operations/pages.ts';
import type { RequestLine, RequestSearch } from '../../shared/providers/request-line.ts';
import { invalidCursor, type ListPosition } from '../../shared/table/page.ts';
import { maxSearches, maxSearchesPerAccount, regionPool } from '../../shared/table/search-slots.ts';
import { type ActionServices, onAccount, pageFields } from './action.ts';
import { operations } from './operations.ts';

/** Retention of the request log: 30 days. */
const retentionMs = 30 * 86_400_000;
const retryAfter = 10;

const status = v.pipe(
  v.union([v.number(), v.string()], 'must be a status such as 404, or a class such as 4xx'),
  v.transform(String),
  v.regex(/^[1-5](xx|\d\d)$/, 'must be a status such as 404, or a class such as 4xx'),
  v.transform((text): readonly [number, number] => [Number(text.replaceAll('x', '0')), Number(text.replaceAll('x', '9'))]),
);

const requestId = v.pipe(v.string('must be a string'), v.regex(/^[\w=+/.:-]{1,128}$/, 'must be the value of an X-Request-Id header'));

const tooBusy = (message: string, max = maxSearches): ApiError =>
  new ApiError('limit_reached', `${message} Try again in ${retryAfter} seconds.`, {
    extra: { limit: 'request_searches', max, retry_after: retryAfter },
  });

/** Searches in a slot of the account and one of the region. Throws if either has no free slot. */
const searchInSlots = async ({ store, requestLog }: ActionServices, search: RequestSearch): Promise<readonly RequestLine[]> => {
  const inRegion = async () => (await store.searchSlots.runInSlot(regionPool, maxSearches, () => requestLog.search(search))) ?? 'busy';
  const found = await store.searchSlots.runInSlot(search.account, maxSearchesPerAccount, inRegion);
  if (found === undefined) throw tooBusy('Too many request searches of this account are running.', maxSearchesPerAccount);
  if (found === 'busy') throw tooBusy('Too many request searches are running.');
  if (found === 'late') throw tooBusy('The search took too long. Send a shorter time range.');
  return found;
};

/**
 * Returns the start of a page: the time of the last request on the previous page, and the requests
 * of the same millisecond that were already shown.
 */
const startOf = (after: ListPosition | undefined) => {
  if (!after) return { untilMs: Number.POSITIVE_INFINITY, shown: [] };
  const untilMs = Number.parseInt(after.position, 36);
  if (Number.isNaN(untilMs)) throw invalidCursor();
  return { untilMs, shown: after.id.split(' ') };
};

/** Returns where the page after these requests starts; undefined without requests. */
const positionAfter = (requests: readonly RequestLine[], start: ReturnType<typeof startOf>): ListPosition | undefined => {
  const last = requests.at(-1);
  if (!last) return undefined;
  const shownBefore = last.atMs === start.untilMs ? start.shown : [];
  const shown = requests.filter(({ atMs }) => atMs === last.atMs).map(({ rid }) => rid);
  return { position: last.atMs.toString(36), id: [...shownBefore, ...shown].join(' ') };
};

/** `names` has the names of the account's keys by their ids. */
const requestView = (line: RequestLine, names: ReadonlyMap<string, string>) => {
  const { atMs, rid, op, status: code, code: error_code, field, ms, key: key_id } = line;
  return {
    time: isoFromMs(atMs),
    method: operations[op]?.[0] ?? null,
    route: operations[op]?.[1] ?? null,
    status: code,
    error_code,
    field,
    duration_ms: ms,
    key_id,
    key_name: (key_id !== null && names.get(key_id)) || null,
    request_id: rid,
  };
};

const list = onAccount({
  summary: 'Lists the API requests of an account in the last 30 days, newest first.',
  input: record({
    since: v.exactOptional(momentMs('up')),
    until: v.exactOptional(endOfRange(momentMs())),
    status: v.exactOptional(status),
    key: v.exactOptional(recordId()),
    request_id: v.exactOptional(requestId),
    ...pageFields(50, 100),
  }),
  async read(services, query, { id: account }) {
    const { store, clock } = services;
    const { since, until, status: statuses, key, request_id, limit } = query;
    if (since !== undefined && until !== undefined && until < since) throw invalidValue('until', 'until must not be before since.');
    const call = { account, operation: 'request.list', id: '', query };
    const { after } = pageRequest(call);
    const start = startOf(after);
    const nowMs = clock.now();
    const searchedUntilMs = Math.min(until ?? nowMs, nowMs);
    const search = {
      account,
      sinceMs: Math.max(since ?? 0, nowMs - retentionMs),
      untilMs: Math.min(searchedUntilMs, start.untilMs),
      statuses,
      key,
      requestId: request_id,
      limit: limit + start.shown.length + 1,
    };
    const [found, keys] = await Promise.all([
      search.sinceMs > search.untilMs ? [] : searchInSlots(services, search),
      store.apiKeys.list(account),
    ]);
    const names = new Map(keys.map(({ id, name }) => [id, name]));
    const isShown = ({ atMs, rid }: RequestLine): boolean => atMs === start.untilMs && start.shown.includes(rid);
    const lines = found.filter((line) => !isShown(line));
    const records = lines.slice(0, limit);
    const next = lines.length > limit ? positionAfter(records, start) : undefined;
    return {
      ...pageBody(call, { records, ...(next && { next }) }, (line) => requestView(line, names)),
      searched_until: isoFromMs(searchedUntilMs),
    };
  },
});

export const request = { list };
