import { useEffect, useState } from 'preact/hooks';
import type { PageResults } from '../contract.ts';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Payload } from '../ui/json.tsx';
import { Loading, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { Attempts } from './attempts.tsx';
import type { LogRow } from './feed.ts';
import { DeliveryStatus } from './status.tsx';

const watchEveryMs = 2_000;

const Facts = ({ of: detail, url }: { readonly of: PageResults['delivery.get']; readonly url: string }) => (
  <dl class="pairs">
    <dt>Status</dt>
    <dd>
      <DeliveryStatus of={detail} />
    </dd>
    <dt>Event</dt>
    <dd>
      <Copyable text={detail.id} what="Event id" />
    </dd>
    <dt>Endpoint</dt>
    <dd>
      <Copyable text={url} what="Endpoint URL" />
    </dd>
    <dt>Happened</dt>
    <dd>
      <Time iso={detail.created_at} exact />
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

/** Shows one delivery in full and refreshes it while it is in progress. */
export const DeliverySheet = ({ of: row, onClose }: { readonly of: LogRow; readonly onClose: () => void }) => {
  const { read, announce } = useSurroundings();
  const work = useWork();
  // After a redelivery its own attempt shows, whatever was chosen before.
  const [redeliveries, setRedeliveries] = useState(0);
  const ids = { endpoint_id: row.endpoint.id, event_id: row.id };
  const detail = useLoaded(() => read('delivery.get', ids), row.id);
  const status = detail.value?.status;

  useEffect(() => {
    if (status !== 'pending' || detail.loading) return;
    const timer = setTimeout(detail.reload, watchEveryMs);
    return () => clearTimeout(timer);
  }, [status, detail.loading]);

  const redeliver = () =>
    work.run(async (change) => {
      await change('webhook.redeliver', ids);
      announce('Redelivery is under way.');
      setRedeliveries((now) => now + 1);
      await detail.reload();
    });

  return (
    <Dialog title={row.type} onClose={onClose} sheet>
      <Problem failure={detail.failure} onRetry={detail.reload} />
      {!detail.value && detail.loading && <Loading what="the delivery" />}
      {detail.value && (
        <>
          <Facts of={detail.value} url={row.endpoint.url} />
          {detail.value.body !== null && row.endpoint.enabled && (
            <div class="buttons">
              <button type="button" class="primary" aria-disabled={work.busy} onClick={redeliver}>
                Redeliver
              </button>
            </div>
          )}
          {!row.endpoint.enabled && <p class="hint">The endpoint is disabled. Enable it to redeliver this event.</p>}
          <Problem failure={work.failure} />
          <h4>Attempts</h4>
          <Attempts key={redeliveries} of={detail.value} />
          {detail.value.body === null ? <p class="hint">The payload is no longer stored.</p> : <Payload body={detail.value.body} />}
        </>
      )}
    </Dialog>
  );
};
