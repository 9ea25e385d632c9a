import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Endpoint } from '../contract.ts';
import { Empty, Loading, PanelHead, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { type DeliveryFilters, deliveryFeed, type LogPage, type LogRow } from './feed.ts';
import { Filters } from './filters.tsx';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { DeliverySheet } from './sheet.tsx';
import { DeliveryStatus, responseOf } from './status.tsx';

const rowsAtOnce = 25;

const Row = ({ of: row, onOpen }: { readonly of: LogRow; readonly onOpen: () => void }) => (
  <tr>
    <th scope="row">
      <button type="button" class="link" onClick={onOpen}>
        {row.type}
      </button>
      <code>{row.id}</code>
    </th>
    <td data-label="Status">
      <DeliveryStatus of={row} />
    </td>
    <td data-label="Response">{responseOf(row)}</td>
    <td data-label="Endpoint" class="url">
      <span>
        {row.endpoint.url.split(/(?<=[/?&])(?![/?&])/).map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </span>
    </td>
    <td data-label="Happened">
      <Time iso={row.created_at} />
    </td>
    <td data-label="Next retry" class={row.next_retry_at === null ? 'absent' : undefined}>
      <Time iso={row.next_retry_at} />
    </td>
  </tr>
);

interface LogProps {
  readonly endpoints: readonly Endpoint[];
  readonly filters: DeliveryFilters;
  /** Increases to start reading from the beginning. */
  readonly turn: number;
  readonly onOpen: (row: LogRow) => void;
}

const Log = ({ endpoints, filters, turn, onOpen }: LogProps) => {
  const { read } = useSurroundings();
  const key = JSON.stringify([filters, turn, endpoints.map(({ id }) => id)]);
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
  const { value } = log;
  if (!value) return log.loading ? <Loading what="deliveries" /> : <Problem failure={log.failure} onRetry={log.reload} />;
  return (
    <>
      <Problem failure={log.failure} onRetry={log.reload} />
      <Problem failure={more.failure} />
      {value.rows.length === 0 && !value.more && <Empty title="No deliveries">Nothing that fits was sent in the last 30 days.</Empty>}
      {value.rows.length > 0 && (
        <table class="rows" aria-busy={log.loading}>
          <caption>Deliveries, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Event</th>
              <th scope="col">Status</th>
              <th scope="col">Response</th>
              <th scope="col">Endpoint</th>
              <th scope="col">Happened</th>
              <th scope="col">Next retry</th>
            </tr>
          </thead>
          <tbody>
            {value.rows.map((row) => (
              <Row key={`${row.endpoint.id} ${row.id}`} of={row} onOpen={() => onOpen(row)} />
            ))}
          </tbody>
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

interface DeliveriesPanelProps {
  /** Empty: all. */
  readonly endpoint: string;
  readonly onEndpoint: (id: string) => void;
}

export const DeliveriesPanel = ({ endpoint, onEndpoint }: DeliveriesPanelProps) => {
  const { read, announce, timeZone } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const endpoints = useLoaded(async () => (await read('webhook.list', {})).data, 'endpoints');
  const [filters, setFilters] = useState<DeliveryFilters>({ endpoint, status: '', type: '', sinceMs: null });
  const [turn, setTurn] = useState(0);
  const [open, setOpen] = useState<LogRow>();
  const [redelivering, setRedelivering] = useState(false);
  useEffect(() => onEndpoint(filters.endpoint), [filters.endpoint]);
  const refresh = () => {
    setTurn((now) => now + 1);
    void endpoints.reload();
  };
  const { value } = endpoints;
  return (
    <>
      <PanelHead
        title="Deliveries"
        intro={`What was sent to your endpoints, and what they answered. Times are those of ${timeZone}.`}
        heading={heading}
      >
        <button type="button" onClick={refresh}>
          Refresh
        </button>
        {value?.some((one) => one.enabled) && (
          <button type="button" onClick={() => setRedelivering(true)}>
            Redeliver failed…
          </button>
        )}
      </PanelHead>
      <Problem failure={endpoints.failure} onRetry={endpoints.reload} />
      {!value && endpoints.loading && <Loading what="endpoints" />}
      {value?.length === 0 && <Empty title="No endpoints yet">Deliveries appear here once an endpoint is registered under Webhooks.</Empty>}
      {value && value.length > 0 && (
        <>
          <Filters endpoints={value} filters={filters} onChange={setFilters} />
          <Log key={JSON.stringify(filters)} endpoints={value} filters={filters} turn={turn} onOpen={setOpen} />
        </>
      )}
      {open && (
        <DeliverySheet
          of={open}
          onClose={() => {
            setOpen(undefined);
            setTurn((now) => now + 1);
          }}
        />
      )}
      {redelivering && value && (
        <RedeliverFailed
          endpoints={value}
          endpoint={filters.endpoint}
          sinceMs={filters.sinceMs}
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
