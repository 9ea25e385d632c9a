import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../contract.ts';
import { useLive } from '../ui/live.tsx';
import { memo } from '../ui/memo.ts';
import { olderRows } from '../ui/newest.ts';
import { Loading, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { type DeliveryFilters, deliveryFeed, type LogPage, type LogRow } from './feed.ts';
import { DeliveryStatus, responseOf } from './status.tsx';

const rowsAtOnce = 50;
export const liveEveryMs = 5_000;

export const itemOf = ({ endpoint, id }: LogRow): string => `${endpoint.id}/${id}`;

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
  /** What an empty list says. */
  readonly empty: ComponentChildren;
}

export const Log = ({ endpoints, ofOne, filters, turn, onOpen, empty }: LogProps) => {
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
