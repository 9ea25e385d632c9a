import { useState } from 'preact/hooks';
import type { Endpoint, PageResults } from '../contract.ts';
import { requestQueryOf } from '../requests/query.ts';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Payload } from '../ui/json.tsx';
import { useLive } from '../ui/live.tsx';
import { Loading, Problem, Time } from '../ui/parts.tsx';
import { minutesAround } from '../ui/period.ts';
import { useSurroundings } from '../ui/surroundings.ts';
import { orNull, useLoaded, useWork } from '../ui/work.ts';
import { Attempts } from './attempts.tsx';
import { recordOf } from './feed.ts';
import { queryOf } from './query.ts';
import { DeliveryStatus } from './status.tsx';

const watchEveryMs = 2_000;

interface FactsProps {
  readonly detail: PageResults['delivery.get'];
  readonly url: string;
  readonly endpointId: string;
}

const Facts = ({ detail, url, endpointId }: FactsProps) => {
  const { show } = useSurroundings();
  const record = recordOf(detail.body);
  return (
    <dl class="pairs">
      <dt>Status</dt>
      <dd>
        <DeliveryStatus delivery={detail} />
      </dd>
      <dt>Event</dt>
      <dd>
        <Copyable text={detail.id} what="Event id" />
      </dd>
      {record !== undefined && (
        <>
          <dt>Record</dt>
          <dd>
            <Copyable text={record} what="Record id" />
            <button type="button" class="link" onClick={() => show('deliveries', queryOf({ id: record }))}>
              All its events
            </button>
          </dd>
        </>
      )}
      <dt>Endpoint</dt>
      <dd>
        <Copyable text={url} what="Endpoint URL" />
        <button type="button" class="link" onClick={() => show('webhooks', '', endpointId)}>
          Show endpoint
        </button>
      </dd>
      <dt>Happened</dt>
      <dd>
        <Time iso={detail.created_at} exact />
        <button type="button" class="link" onClick={() => show('requests', requestQueryOf(minutesAround(detail.created_at)))}>
          Requests at that time
        </button>
      </dd>
      {detail.next_retry_at !== null && (
        <>
          <dt>Next retry</dt>
          <dd>
            <Time iso={detail.next_retry_at} />
          </dd>
        </>
      )}
    </dl>
  );
};

interface DeliverySheetProps {
  /** Ids of endpoint and event, as the address holds them: `<endpoint>/<event>`. */
  readonly item: string;
  readonly endpoints: readonly Endpoint[];
  readonly onClose: () => void;
}

/** Shows one delivery in full and refreshes it while it is in progress. */
export const DeliverySheet = ({ item, endpoints, onClose }: DeliverySheetProps) => {
  const { read, announce } = useSurroundings();
  const work = useWork();
  // After a redelivery its own attempt shows, whatever was chosen before.
  const [redeliveries, setRedeliveries] = useState(0);
  const [endpoint_id = '', event_id = ''] = item.split('/');
  const ids = { endpoint_id, event_id };
  const endpoint = endpoints.find(({ id }) => id === endpoint_id);
  const detail = useLoaded(() => orNull(read('delivery.get', ids)), item);
  useLive(async () => {
    if (detail.value?.status === 'pending' && !detail.loading) await detail.reload();
  }, watchEveryMs);

  const redeliver = () =>
    work.run(async (change) => {
      await change('webhook.redeliver', ids);
      announce('Redelivery is under way.');
      setRedeliveries((now) => now + 1);
      await detail.reload();
    });

  return (
    <Dialog title={detail.value?.type ?? 'Delivery'} onClose={onClose} sheet>
      <Problem failure={detail.failure} onRetry={detail.reload} />
      {detail.value === undefined && detail.loading && <Loading what="the delivery" />}
      {detail.value === null && <p class="hint">There is no delivery of the event {event_id} here. Deliveries are shown for 30 days.</p>}
      {detail.value && (
        <>
          <Facts detail={detail.value} url={endpoint?.url ?? endpoint_id} endpointId={endpoint_id} />
          {detail.value.body !== null && endpoint?.enabled && (
            <div class="buttons">
              <button
                type="button"
                class={detail.value.status === 'failed' ? 'primary' : undefined}
                aria-disabled={work.busy}
                onClick={redeliver}
              >
                Redeliver
              </button>
            </div>
          )}
          {!endpoint && <p class="hint">The endpoint was deleted.</p>}
          {endpoint?.enabled === false && <p class="hint">The endpoint is disabled. Enable it to redeliver this event.</p>}
          <Problem failure={work.failure} />
          <h4>Attempts</h4>
          <Attempts key={redeliveries} detail={detail.value} />
          {detail.value.body === null ? <p class="hint">The payload is no longer stored.</p> : <Payload body={detail.value.body} />}
        </>
      )}
    </Dialog>
  );
};
