import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../contract.ts';
import { Live, useLive } from '../ui/live.tsx';
import { memo } from '../ui/memo.ts';
import { olderRows } from '../ui/newest.ts';
import { Empty, Loading, PanelHead, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { type DeliveryFilters, deliveryFeed, type LogPage, type LogRow } from './feed.ts';
import { Filters } from './filters.tsx';
import { filtersOf, queryOf } from './query.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { DeliverySheet } from './sheet.tsx';
import { DeliveryStatus, responseOf } from './status.tsx';

const rowsAtOnce = 50;
const liveEveryMs = 5_000;

const itemOf = ({ endpoint, id }: LogRow): string => `${endpoint.id}/${id}`;

/** The end of an id, which tells it apart from the others. */
const shortOf = (id: string): string => (id.length > 14 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-8)}` : id);

/** Puts the newest rows before those that were loaded. Undefined if the list must be read from its beginning. */
const withNewest = (page: LogPage, before: LogPage): LogPage | undefined => {
  if (!page.more) return page;
  if (page.rows.length === 0) return before;
  const older = olderRows(page.rows, before.rows, { keyOf: itemOf, timeOf: ({ created_at }) => created_at });
  return older && { rows: [...page.rows, ...older], more: older.length > 0 ? before.more : page.more };
};

/** One event; `memo` keeps a row from being compared when others are added. */
const Row = memo(({ row, onOpen }: { readonly row: LogRow; readonly onOpen: (row: LogRow) => void }) => (
  <tr class="opens" onClick={() => onOpen(row)}>
    <th scope="row">
      <button type="button" class="link">
        {row.type}
      </button>
    </th>
    <td data-label="Record" title={row.record_id ?? row.id}>
      <code>{shortOf(row.record_id ?? row.id)}</code>
    </td>
    <td data-label="Status">
      <DeliveryStatus delivery={row} />
    </td>
    <td data-label="Response">{responseOf(row)}</td>
    <td data-label="Endpoint" title={row.endpoint.url}>
      {row.endpoint.url}
    </td>
    <td data-label="Next retry" class={row.next_retry_at === null ? 'absent' : undefined}>
      <Time iso={row.next_retry_at} />
    </td>
    <td data-label="Happened">
      <Time iso={row.created_at} />
    </td>
  </tr>
));

/** Splits rows into groups that the browser lays out only when they come into view. */
const inGroups = <Value,>(values: readonly Value[]): Value[][] =>
  Array.from({ length: Math.ceil(values.length / rowsAtOnce) }, (_, at) => values.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce));

interface LogProps {
  readonly endpoints: readonly Endpoint[];
  readonly filters: DeliveryFilters;
  /** Increases to start reading from the beginning. */
  readonly turn: number;
  readonly onOpen: (row: LogRow) => void;
  /** What an empty list says. */
  readonly empty: ComponentChildren;
}

const Log = ({ endpoints, filters, turn, onOpen, empty }: LogProps) => {
  const { read } = useSurroundings();
  const [restarts, setRestarts] = useState(0);
  const key = JSON.stringify([filters, turn, restarts, endpoints.map(({ id }) => id)]);
  const next = useMemo(() => deliveryFeed(read, endpoints, filters), [key]);
  const log = useLoaded<LogPage>(() => next(rowsAtOnce), key);
  const more = useWork();
  const current = useRef(next);
  current.current = next;
  const load = () =>
    more.run(async () => {
      const page = await next(rowsAtOnce);
      // This read belongs to a list that a refresh replaced.
      if (current.current !== next) return;
      log.replace(({ rows }) => ({ rows: [...rows, ...page.rows], more: page.more }));
    });
  const shown = useRef(log.value);
  shown.current = log.value;
  // The button reads on from where it stopped, so a refreshed beginning needs a read of its own.
  useLive(async () => {
    if (log.loading || more.busy) return;
    const page = await deliveryFeed(read, endpoints, filters)(rowsAtOnce);
    if (current.current !== next || !shown.current) return;
    const joined = withNewest(page, shown.current);
    if (joined) log.replace(() => joined);
    else setRestarts((now) => now + 1);
  }, liveEveryMs);
  const { value } = log;
  if (!value) return log.loading ? <Loading what="deliveries" /> : <Problem failure={log.failure} onRetry={log.reload} />;
  return (
    <>
      <Problem failure={log.failure} onRetry={log.reload} />
      <Problem failure={more.failure} />
      {value.rows.length === 0 && !value.more && empty}
      {value.rows.length > 0 && (
        <table class="rows log" aria-busy={log.loading}>
          <caption>Deliveries, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Record</th>
              <th scope="col">Status</th>
              <th scope="col">Response</th>
              <th scope="col">Endpoint</th>
              <th scope="col">Next retry</th>
              <th scope="col">Happened</th>
            </tr>
          </thead>
          {inGroups(value.rows).map((group, at) => (
            <tbody key={at}>
              {group.map((row) => (
                <Row key={`${row.endpoint.id} ${row.id}`} row={row} onOpen={onOpen} />
              ))}
            </tbody>
          ))}
        </table>
      )}
      {value.more && (
        <div class="buttons centred">
          <button type="button" aria-disabled={more.busy} onClick={load}>
            {more.busy ? 'Loading…' : value.rows.length === 0 ? 'Look further back' : 'Load more'}
          </button>
        </div>
      )}
    </>
  );
};

/** An empty log, and the way to more. */
const NoDeliveries = ({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) =>
  isFiltered ? (
    <Empty
      title="No deliveries"
      action={
        <button type="button" onClick={onClear}>
          Clear filters
        </button>
      }
    >
      Nothing that matches was sent in the last 30 days.
    </Empty>
  ) : (
    <Empty title="No deliveries yet">Each event that is sent to your endpoints appears here for 30 days.</Empty>
  );

interface DeliveriesPanelProps {
  readonly filters: DeliveryFilters;
  /** The open delivery, `<endpoint>/<event>`; empty: none. */
  readonly item: string;
  readonly onItem: (item: string) => void;
  readonly onFilters: (filters: DeliveryFilters) => void;
  readonly onWebhooks: () => void;
}

export const DeliveriesPanel = ({ filters, item, onItem, onFilters, onWebhooks }: DeliveriesPanelProps) => {
  const { read, announce } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const endpoints = useLoaded(async () => (await read('webhook.list', {})).data, 'endpoints');
  const [turn, setTurn] = useState(0);
  const [redelivering, setRedelivering] = useState(false);
  const refresh = () => {
    setTurn((now) => now + 1);
    void endpoints.reload();
  };
  const { value } = endpoints;
  return (
    <>
      <PanelHead
        title="Deliveries"
        heading={heading}
        live={value && value.length > 0 && <Live everyMs={liveEveryMs} />}
        filters={value && value.length > 0 && <Filters endpoints={value} filters={filters} onChange={onFilters} />}
      >
        <button type="button" onClick={refresh}>
          Refresh
        </button>
        {value && value.length > 0 && (
          <button type="button" onClick={() => setRedelivering(true)}>
            Redeliver failed…
          </button>
        )}
      </PanelHead>
      <Problem failure={endpoints.failure} onRetry={endpoints.reload} />
      {!value && endpoints.loading && <Loading what="endpoints" />}
      {value?.length === 0 && (
        <Empty
          title="No endpoints yet"
          listens
          action={
            <button type="button" class="primary" onClick={onWebhooks}>
              Show webhooks
            </button>
          }
        >
          Deliveries appear here once you have added an endpoint.
        </Empty>
      )}
      {value && value.length > 0 && (
        <Log
          key={JSON.stringify(filters)}
          endpoints={value}
          filters={filters}
          turn={turn}
          onOpen={(row) => onItem(itemOf(row))}
          empty={<NoDeliveries isFiltered={queryOf(filters) !== ''} onClear={() => onFilters(filtersOf(''))} />}
        />
      )}
      {item && value && (
        <DeliverySheet
          item={item}
          endpoints={value}
          onClose={() => {
            onItem('');
            setTurn((now) => now + 1);
          }}
        />
      )}
      {redelivering && value && (
        <RedeliverFailed
          endpoints={value}
          endpoint={filters.endpoint}
          sinceMs={filters.sinceMs}
          type={filters.type}
          onClose={() => setRedelivering(false)}
          onDone={(words) => {
            setRedelivering(false);
            announce(words);
            refresh();
          }}
        />
      )}
    </>
  );
};
