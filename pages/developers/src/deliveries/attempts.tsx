import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { PageResults } from '../contract.ts';
import { Badge, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { reasonOf } from '../ui/words.ts';
import { signedHeaders } from './headers.ts';
import { responseOf } from './status.tsx';

type Detail = PageResults['delivery.get'];
type Attempt = Detail['attempt_log'][number];

const responseTo = ({ status_code, error }: Attempt): string => responseOf({ last_status_code: status_code, last_error: error });

/** A receiver's response is shown as text, whatever type it claims. */
const Response = ({ attempt, detail: { last_response: response } }: { readonly attempt: Attempt; readonly detail: Detail }) => {
  if (response?.run !== attempt.run || response.attempt !== attempt.attempt) {
    if (attempt.status_code === null || attempt.error === null) return null;
    return <p class="hint">Only the body of the last failed response is stored.</p>;
  }
  const type = response.content_type === null ? '' : ` (${response.content_type})`;
  return (
    <>
      <h4 id="response">
        Response to {response.run > 1 && `run ${response.run}, `}attempt {response.attempt}
      </h4>
      {response.body === '' ? (
        <p class="hint">The response had no body{type}.</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard */}
          <section class="payload answer" tabIndex={0} aria-labelledby="response">
            <pre>{response.body}</pre>
          </section>
          <p class="hint">The first 1,000 bytes of the response{type}.</p>
        </>
      )}
    </>
  );
};

/** The chosen attempt: when, what came back and which headers were sent. */
const AttemptDetail = ({ attempt, detail }: { readonly attempt: Attempt; readonly detail: Detail }) => {
  const { formatNumber } = useSurroundings();
  const headers = signedHeaders(attempt, detail.id);
  const ofRun = attempt.run > 1 ? ` of run ${attempt.run}` : '';
  return (
    <section class="attempt" aria-label={`Attempt ${attempt.attempt}${ofRun}`}>
      <h4>
        Attempt {attempt.attempt}
        {ofRun}
      </h4>
      <dl class="pairs">
        <dt>Ended</dt>
        <dd>
          <Time iso={attempt.at} exact />
        </dd>
        <dt>Result</dt>
        <dd>
          {responseTo(attempt)} after {formatNumber(attempt.duration_ms)} ms
        </dd>
        {attempt.error !== null && (
          <>
            <dt>Reason</dt>
            <dd>{reasonOf(attempt.error)}</dd>
          </>
        )}
      </dl>
      <Response attempt={attempt} detail={detail} />
      {headers.length > 0 && (
        <>
          <h4>Signed headers</h4>
          <dl class="pairs headers">
            {headers.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </Fragment>
            ))}
          </dl>
          <p class="hint">The signature is an HMAC of the timestamp, a dot and the payload with the endpoint’s secret. It is not stored.</p>
        </>
      )}
    </section>
  );
};

/** The attempts of a delivery, of which one is shown in full: at first the last. Labels runs once there are several. */
export const Attempts = ({ detail }: { readonly detail: Detail }) => {
  const { attempt_log: log } = detail;
  const { formatNumber } = useSurroundings();
  const [chosen, setChosen] = useState<Attempt>();
  const isSame = (one: Attempt, other: Attempt | undefined) => one.run === other?.run && one.attempt === other.attempt;
  const shown = log.find((one) => isSame(one, chosen)) ?? log.at(-1);
  if (!shown) return <p class="hint">None yet.</p>;
  const hasRuns = log.some(({ run }) => run > 1);
  return (
    <>
      <table class={hasRuns ? 'rows attempts runs' : 'rows attempts'}>
        <caption>Attempts, oldest first</caption>
        <thead>
          <tr>
            {hasRuns && <th scope="col">Run</th>}
            <th scope="col">Attempt</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {log.map((one) => (
            <tr key={`${one.run} ${one.attempt}`} class={isSame(one, shown) ? 'opens chosen' : 'opens'} onClick={() => setChosen(one)}>
              {hasRuns && <td>{one.run}</td>}
              <th scope="row">
                <button type="button" class="link" aria-label={`Attempt ${one.attempt}`} aria-pressed={isSame(one, shown)}>
                  <span>Attempt </span>
                  {one.attempt}
                </button>
              </th>
              <td>
                <Badge tone={one.error === null ? 'good' : 'bad'}>{responseTo(one)}</Badge>
              </td>
              <td class="number">{formatNumber(one.duration_ms)} ms</td>
              <td>
                <Time iso={one.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <AttemptDetail attempt={shown} detail={detail} />
    </>
  );
};
