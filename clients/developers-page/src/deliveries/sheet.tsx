import { useEffect } from 'preact/hooks';
import type { PageAnswers } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Payload } from '../ui/json.tsx';
import { Loading, Problem, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import type { LogRow } from './feed.ts';
import { DeliveryStatus, responseOf } from './status.tsx';

const watchEveryMs = 2_000;

/** Labels runs once a delivery has more than one. */
const Attempts = ({ of: { attempt_log: log } }: { readonly of: PageAnswers['delivery.get'] }) => {
  if (log.length === 0) return <p class="hint">None yet.</p>;
  const hasRuns = log.some(({ run }) => run > 1);
  return (
    <table class="rows compact">
      <caption>Attempts, oldest first</caption>
      <thead>
        <tr>
          {hasRuns && <th scope="col">Run</th>}
          <th scope="col">No.</th>
          <th scope="col">Time</th>
          <th scope="col">Response</th>
          <th scope="col">Took</th>
        </tr>
      </thead>
      <tbody>
        {log.map((one) => (
          <tr key={`${one.run} ${one.attempt}`}>
            {hasRuns && <td data-label="Run">{one.run}</td>}
            <th scope="row">
              <span class="narrow-only">Attempt </span>
              {one.attempt}
            </th>
            <td data-label="Time">
              <Time iso={one.at} exact />
            </td>
            <td data-label="Response">{responseOf({ last_status_code: one.status_code, last_error: one.error })}</td>
            <td data-label="Took">{one.duration_ms} ms</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** A receiver's response is shown as text, whatever type it claims. */
const LastResponse = ({ of: { last_response: answer } }: { readonly of: PageAnswers['delivery.get'] }) => {
  if (!answer) return null;
  const type = answer.content_type ?? 'of no type';
  return (
    <>
      <h4 id="response">
        Response to {answer.run > 1 && `run ${answer.run}, `}attempt {answer.attempt}
      </h4>
      {answer.body === '' ? (
        <p class="hint">The response had no body ({type}).</p>
      ) : (
        <>
          <p class="hint">The first 1,000 bytes of the response ({type}).</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard */}
          <section class="payload answer" tabIndex={0} aria-labelledby="response">
            <pre>{answer.body}</pre>
          </section>
        </>
      )}
    </>
  );
};

const Facts = ({ of: detail, url }: { readonly of: PageAnswers['delivery.get']; readonly url: string }) => (
  <dl class="pairs">
    <dt>Status</dt>
    <dd>
      <DeliveryStatus of={detail} />
    </dd>
    <dt>Event</dt>
    <dd>
      <code>{detail.id}</code>
    </dd>
    <dt>Endpoint</dt>
    <dd>{url}</dd>
    <dt>Happened</dt>
    <dd>
      <Time iso={detail.created_at} />
    </dd>
    <dt>Last response</dt>
    <dd>{responseOf(detail)}</dd>
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
          <Attempts of={detail.value} />
          <LastResponse of={detail.value} />
          <h4 id="payload">Payload</h4>
          {detail.value.body === null ? (
            <p class="hint">The payload is no longer stored.</p>
          ) : (
            <Payload body={detail.value.body} labelledBy="payload" />
          )}
        </>
      )}
    </Dialog>
  );
};
