import { useRef, useState } from 'preact/hooks';
import { Live } from '../ui/live.tsx';
import { Empty, Loading, PanelHead, Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded } from '../ui/work.ts';
import { Filters } from './filters.tsx';
import { itemOf, Log, liveEveryMs } from './log.tsx';
import { filtersOf, queryOf } from './query.ts';
import { RedeliverFailed } from './redeliver-failed.tsx';
import { DeliverySheet } from './sheet.tsx';

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
  /** The tab that holds the panel: its own, or an endpoint's page. */
  readonly view: 'deliveries' | 'webhooks';
  /** Id of the endpoint of that page. */
  readonly endpoint?: string;
  readonly query: string;
  /** The open delivery, `<endpoint>/<event>`; empty: none. */
  readonly item: string;
}

/** The log of all endpoints, or of one. The address holds its filters. */
export const DeliveriesPanel = ({ view, endpoint, query, item }: DeliveriesPanelProps) => {
  const { read, show, announce } = useSurroundings();
  const heading = useRef<HTMLHeadingElement>(null);
  const endpoints = useLoaded(async () => (await read('webhook.list', {})).data, 'endpoints');
  const [turn, setTurn] = useState(0);
  const [redelivering, setRedelivering] = useState(false);
  const refresh = () => {
    setTurn((now) => now + 1);
    void endpoints.reload();
  };
  const { value } = endpoints;
  const ofOne = endpoint !== undefined;
  const chosen = filtersOf(query);
  const filters = ofOne ? { ...chosen, endpoint } : chosen;
  const change = (newQuery: string) => show(view, newQuery, endpoint, 'replace');
  return (
    <>
      <PanelHead
        title="Deliveries"
        level={ofOne ? 3 : 2}
        heading={heading}
        live={value && value.length > 0 && <Live everyMs={liveEveryMs} />}
        filters={
          value &&
          value.length > 0 && (
            <Filters endpoints={ofOne ? [] : value} filters={chosen} onChange={(newFilters) => change(queryOf(newFilters))} />
          )
        }
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
            <button type="button" class="primary" onClick={() => show('webhooks', '')}>
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
          ofOne={ofOne}
          filters={filters}
          turn={turn}
          isCovered={item !== ''}
          onOpen={(row) => show(view, query, itemOf(row))}
          empty={<NoDeliveries isFiltered={query !== ''} onClear={() => change('')} />}
        />
      )}
      {item && value && <DeliverySheet item={item} endpoints={value} onClose={() => show(view, query, endpoint, 'close')} />}
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
