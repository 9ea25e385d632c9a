import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../contract.ts';
import { useLive } from '../ui/live.tsx';
import { memo } from '../ui/memo.ts';
import { Loading, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { deliveryFeed, type LogPage, type LogRow } from './feed.ts';
import type { DeliveryFilters } from './pages.ts';
import { DeliveryStatus, responseOf } from './status.tsx';

const rowsAtOnce = 50;
export const liveEveryMs = 5_000;

export const itemOf = ({ endpoint, id }: LogRow): string => `${endpoint.id}/${id}`;

/** The end of an id, which tells it apart from the others. */
const shortOf = (id: string): string => (id.length > 14 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-8)}` : id);

/** One event; `memo` keeps a row from being compared when others are added. */
const Row = memo(({ row, ofOne, onOpen }: { readonly row: LogRow; readonly ofOne: boolean; readonly onOpen: (row: LogRow) => void }) => (
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
    {!ofOne && (
      <td data-label="Endpoint" title={row.endpoint.url}>
        {row.endpoint.url}
      </td>
    )}
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
  /** The list is part of an endpoint's page, so its rows do not name the endpoint. */
  readonly ofOne: boolean;
  readonly filters: DeliveryFilters;
  /** Increases to start reading from the beginning. */
  readonly turn: number;
  readonly onOpen: (row: LogRow) => void;
  /** A delivery is open above the list. */
  readonly isCovered: boolean;
  /** What an empty list says. */
  readonly empty: ComponentChildren;
}

export const Log = ({ endpoints, ofOne, filters, turn, onOpen, isCovered, empty }: LogProps) => {
  const { read } = useSurroundings();
  const [restarts, setRestarts] = useState(0);
  const key = JSON.stringify([filters, turn, restarts, endpoints.map(({ id }) => id)]);
  const feed = useMemo(() => deliveryFeed(read, endpoints, filters), [key]);
  const log = useLoaded<LogPage>(() => feed.next(rowsAtOnce), key);
  const more = useWork();
  const current = useRef(feed);
  current.current = feed;
  const load = () =>
    more.run(async () => {
      const page = await feed.next(rowsAtOnce);
      // This read belongs to a list that a refresh replaced.
      if (current.current !== feed) return;
      log.replace(({ rows }) => ({ rows: [...rows, ...page.rows], more: page.more }));
    });
  const refresh = async () => {
    if (log.loading || more.busy || !log.value) return;
    const update = await feed.refresh(log.value);
    if (current.current !== feed) return;
    if (update) log.replace(update);
    else setRestarts((now) => now + 1);
  };
  useLive(refresh, liveEveryMs);
  // The open delivery may have been redelivered.
  useEffect(() => {
    if (!isCovered) refresh().catch(() => undefined);
  }, [isCovered]);
  const { value } = log;
  if (!value) return log.loading ? <Loading what="deliveries" /> : <Problem failure={log.failure} onRetry={log.reload} />;
  return (
    <>
      <Problem failure={log.failure} onRetry={log.reload} />
      <Problem failure={more.failure} />
      {value.rows.length === 0 && !value.more && empty}
      {value.rows.length > 0 && (
        <table class={ofOne ? 'rows log one' : 'rows log'} aria-busy={log.loading}>
          <caption>Deliveries, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Record</th>
              <th scope="col">Status</th>
              <th scope="col">Response</th>
              {!ofOne && <th scope="col">Endpoint</th>}
              <th scope="col">Next retry</th>
              <th scope="col">Happened</th>
            </tr>
          </thead>
          {inGroups(value.rows).map((group, at) => (
            <tbody key={at}>
              {group.map((row) => (
                <Row key={`${row.endpoint.id} ${row.id}`} row={row} ofOne={ofOne} onOpen={onOpen} />
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
