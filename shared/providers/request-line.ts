/** A line of the API's log about one request. */
export interface RequestLine {
  readonly atMs: number;
  /** Request id. */
  readonly rid: string;
  /** Operation of the route. */
  readonly op: string;
  readonly status: number;
  readonly code: string | null;
  /** The field that the error names, without names that the caller chose. */
  readonly field: string | null;
  readonly ms: number;
  /** Id of the API key. */
  readonly key: string | null;
}

export interface RequestSearch {
  readonly account: string;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Lowest and highest status. */
  readonly statuses?: readonly [number, number] | undefined;
  readonly key?: string | undefined;
  readonly requestId?: string | undefined;
  readonly limit: number;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Returns the request of a log line, if it is the line of one that matches the search. What a
 * search shows never depends on its query's text alone.
 */
export const requestOf = (
  atMs: number,
  { rid, op, status, code, field, ms, key, account }: Readonly<Record<string, unknown>>,
  search: RequestSearch,
): RequestLine | undefined => {
  if (typeof rid !== 'string' || typeof op !== 'string' || typeof status !== 'number') return undefined;
  const [minStatus, maxStatus] = search.statuses ?? [0, 999];
  const isFound =
    account === search.account &&
    atMs >= search.sinceMs &&
    atMs <= search.untilMs &&
    status >= minStatus &&
    status <= maxStatus &&
    (search.key === undefined || key === search.key) &&
    (search.requestId === undefined || rid === search.requestId);
  return isFound ? { atMs, rid, op, status, code: textOf(code), field: textOf(field), ms: Number(ms), key: textOf(key) } : undefined;
};
