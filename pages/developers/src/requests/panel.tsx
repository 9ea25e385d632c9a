import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ApiRequest, PageResults } from '../contract.ts';
import { readKeys } from '../keys/all-keys.ts';
import { Live, useLive } from '../ui/live.tsx';
import { olderRows } from '../ui/newest.ts';
import { Empty, Loading, PanelHead, Problem, Time } from '../ui/parts.tsx';
import { periodParams } from '../ui/period.ts';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { Filters } from './filters.tsx';
import { type RequestFilters, requestFiltersOf, requestQueryOf } from './query.ts';
import { RequestSheet } from './sheet.tsx';
import { RequestStatus } from './status.tsx';

const rowsAtOnce = 50;
/** A search of the log costs more than a read of deliveries. */
const liveEveryMs = 15_000;

const Row = ({ request, onOpen }: { readonly request: ApiRequest; readonly onOpen: (request: ApiRequest) => void }) => {
  const { formatNumber } = useSurroundings();
  const { method, route, key_id, key_name, error_code, field } = request;
  return (
    <tr class="opens" onClick={() => onOpen(request)}>
      <th scope="row">
        <button type="button" class="link request">
          {method !== null && <span class="method">{method}</span>} {route ?? 'Unknown address'}
        </button>
      </th>
      <td data-label="Status">
        <RequestStatus request={request} />
      </td>
      <td data-label="Error" class={error_code === null ? 'absent' : undefined}>
        {error_code === null ? '–' : <code>{[error_code, field].filter(Boolean).join(': ')}</code>}
      </td>
      <td data-label="Key" class={key_id === null ? 'absent' : undefined}>
        {key_id === null ? 'None' : (key_name ?? 'A deleted key')}
      </td>
      <td data-label="Took" class="number">
        {formatNumber(request.duration_ms)} ms
      </td>
      <td data-label="Time">
        <Time iso={request.time} />
      </td>
    </tr>
  );
};

const inputOf = ({ status, key, requestId, ...period }: RequestFilters) => ({
  limit: rowsAtOnce,
  ...(status && { status }),
  ...(key && { key }),
  ...(requestId && { request_id: requestId }),
  ...periodParams(period),
});

type Log = Pick<PageResults['request.list'], 'data' | 'searched_until'> & { readonly next: string | null };

const rowKeyOf = ({ time, request_id }: ApiRequest): string => `${time} ${request_id}`;

/** Puts the newest requests before those that were loaded. */
const withNewest = (page: Log, before: Log): Log => {
  if (page.next === null) return page;
  if (page.data.length === 0) return before;
  const older = olderRows(page.data, before.data, { keyOf: rowKeyOf, timeOf: ({ time }) => time }) ?? [];
  return { ...page, data: [...page.data, ...older], next: older.length > 0 ? before.next : page.next };
};

interface ListProps {
  readonly filters: RequestFilters;
  readonly refreshes: number;
  /** Id of the open request; empty: none. */
  readonly item: string;
  readonly onItem: (item: string) => void;
  /** What an empty list says. */
  readonly empty: ComponentChildren;
}

const List = ({ filters, refreshes, item, onItem, empty }: ListProps) => {
  const { read } = useSurroundings();
  const more = useWork();
  const input = inputOf(filters);
  const key = JSON.stringify([input, refreshes]);
  const current = useRef(key);
  current.current = key;
  const readPage = async (cursor: string | null): Promise<Log> => {
    const { data, pagination, searched_until } = await read('request.list', { ...input, ...(cursor !== null && { cursor }) });
    return { data, searched_until, next: pagination.next_cursor };
  };
  const log = useLoaded(() => readPage(null), key);
  useLive(async () => {
    if (log.loading || more.busy) return;
    const page = await readPage(null);
    if (current.current === key) log.replace((before) => withNewest(page, before));
  }, liveEveryMs);
  const { value } = log;
  const isOpen = ({ request_id }: ApiRequest) => request_id === item;
  const load = () =>
    more.run(async () => {
      const page = await readPage(value?.next ?? null);
      // This page belongs to a list that a refresh replaced.
      if (current.current !== key) return;
      log.replace(({ data, searched_until }) => ({ data: [...data, ...page.data], searched_until, next: page.next }));
    });
  if (!value) return log.loading ? <Loading what="requests" /> : <Problem failure={log.failure} onRetry={log.reload} />;
  return (
    <>
      <Problem failure={log.failure} onRetry={log.reload} />
      <Problem failure={more.failure} onRetry={load} />
      {value.data.length === 0 ? (
        empty
      ) : (
        <table class="rows requests" aria-busy={log.loading}>
          <caption>Requests, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Status</th>
              <th scope="col">Error</th>
              <th scope="col">Key</th>
              <th scope="col" class="number">
                Took
              </th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody>
            {value.data.map((request) => (
              <Row key={rowKeyOf(request)} request={request} onOpen={({ request_id }) => onItem(request_id)} />
            ))}
          </tbody>
        </table>
      )}
      {value.next !== null && (
        <div class="buttons centred">
          <button type="button" aria-disabled={more.busy} onClick={load}>
            {more.busy ? 'Loading…' : 'Load more'}
          </button>
        </div>
      )}
      <p class="hint note">
        Searched up to <Time iso={value.searched_until} exact />. The list reaches back 30 days, if the platform has indexed its log for so
        long. It has no requests without a valid key, to an unknown path or method, or over the limits of the gateway.
      </p>
      {item && <RequestSheet requestId={item} known={value.data.find(isOpen)} onClose={() => onItem('')} />}
    </>
  );
};

interface NoRequestsProps {
  readonly isFiltered: boolean;
  readonly onClear: () => void;
  readonly onKeys: () => void;
}

/** An empty list, and the way to more. */
const NoRequests = ({ isFiltered, onClear, onKeys }: NoRequestsProps) => (
  <Empty
    title={isFiltered ? 'No requests' : 'No requests yet'}
    action={
      <button type="button" onClick={isFiltered ? onClear : onKeys}>
        {isFiltered ? 'Clear filters' : 'Show API keys'}
      </button>
    }
  >
    {isFiltered ? 'No request of the last 30 days matches.' : 'A request with one of your keys appears here within a minute.'}
  </Empty>
);

interface RequestsPanelProps {
  readonly query: string;
  readonly item: string;
}

/** The account's requests to the API, with filters that the address holds. */
export const RequestsPanel = ({ query, item }: RequestsPanelProps) => {
  const { read, show } = useSurroundings();
  const onQuery = (newQuery: string) => show('requests', newQuery, '', 'replace');
  const heading = useRef<HTMLHeadingElement>(null);
  const [refreshes, setRefreshes] = useState(0);
  const keys = useLoaded(() => readKeys(read), 'keys');
  const filters = requestFiltersOf(query);
  return (
    <>
      <PanelHead
        title="Requests"
        heading={heading}
        live={<Live everyMs={liveEveryMs} />}
        filters={<Filters keys={keys.value ?? []} filters={filters} onChange={(newFilters) => onQuery(requestQueryOf(newFilters))} />}
      >
        <button type="button" onClick={() => setRefreshes((now) => now + 1)}>
          Refresh
        </button>
      </PanelHead>
      <List
        key={query}
        filters={filters}
        refreshes={refreshes}
        item={item}
        onItem={(newItem) => show('requests', query, newItem, newItem === '' ? 'close' : 'push')}
        empty={<NoRequests isFiltered={query !== ''} onClear={() => onQuery('')} onKeys={() => show('keys')} />}
      />
    </>
  );
};
