import { errorRemedies, errorTexts } from '../../../../shared/http/error-texts.ts';
import type { ApiRequest } from '../contract.ts';
import { queryOf } from '../deliveries/query.ts';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Loading, Marked, Problem, Time } from '../ui/parts.tsx';
import { minutesAround } from '../ui/period.ts';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded } from '../ui/work.ts';
import { RequestStatus } from './status.tsx';

const isKnown = (code: string | null): code is keyof typeof errorTexts => code !== null && Object.hasOwn(errorTexts, code);

/** What a code means and what the caller can do, in the words of the guide. Flat errors have no code there. */
const remedyOf = ({ status, error_code, field }: ApiRequest): string => {
  if (error_code === 'invalid_value' && field !== null)
    return `The value of \`${field}\` is missing or not allowed. Correct it: the \`message\` of the response has its rule.`;
  if (isKnown(error_code)) return `${errorTexts[error_code]} ${errorRemedies[error_code]}`;
  if (status === 429) return 'There were too many requests. Wait for the seconds of `Retry-After`, then repeat it.';
  return 'The response that your program received says why.';
};

const Remedy = ({ request }: { readonly request: ApiRequest }) => {
  const { docsUrl } = useSurroundings();
  return (
    <section class="remedy" aria-labelledby="remedy">
      <h4 id="remedy">What to do</h4>
      <p>
        <Marked text={remedyOf(request)} />
      </p>
      {docsUrl !== undefined && <a href={`${docsUrl}errors/#codes`}>All error codes</a>}
    </section>
  );
};

interface RequestSheetProps {
  /** The request's id. */
  readonly requestId: string;
  /** The request, if the list has it. */
  readonly known: ApiRequest | undefined;
  readonly onClose: () => void;
}

/** Shows one request in full, as far as it is logged. Finds it by its id if the list does not have it. */
export const RequestSheet = ({ requestId: id, known, onClose }: RequestSheetProps) => {
  const { read } = useSurroundings();
  const found = useLoaded(async () => known ?? (await read('request.list', { request_id: id, limit: 1 })).data[0] ?? null, id);
  const request = known ?? found.value;
  return (
    <Dialog title={request ? `${request.method ?? ''} ${request.route ?? 'Unknown address'}`.trim() : 'Request'} onClose={onClose} sheet>
      <Problem failure={found.failure} onRetry={found.reload} />
      {request === undefined && found.loading && <Loading what="the request" />}
      {request === null && <p class="hint">The log has no request with the id {id}. It keeps requests for 30 days.</p>}
      {request && <Facts request={request} />}
    </Dialog>
  );
};

const Facts = ({ request }: { readonly request: ApiRequest }) => {
  const { show, formatNumber } = useSurroundings();
  const { key_id, key_name, error_code, field } = request;
  const mayEmit = request.status < 400 && request.method !== null && request.method !== 'GET';
  return (
    <>
      <dl class="pairs">
        <dt>Status</dt>
        <dd>
          <RequestStatus request={request} />
        </dd>
        {error_code !== null && (
          <>
            <dt>Error</dt>
            <dd>
              <code>{error_code}</code>
            </dd>
          </>
        )}
        {field !== null && (
          <>
            <dt>Field</dt>
            <dd>
              <code>{field}</code>
            </dd>
          </>
        )}
        <dt>Time</dt>
        <dd>
          <Time iso={request.time} exact />
          {mayEmit && (
            <button type="button" class="link" onClick={() => show('deliveries', queryOf(minutesAround(request.time)))}>
              Deliveries at that time
            </button>
          )}
        </dd>
        <dt>Took</dt>
        <dd>{formatNumber(request.duration_ms)} ms</dd>
        <dt>Key</dt>
        <dd>{key_id === null ? 'None' : (key_name ?? 'A deleted key')}</dd>
        <dt>Request id</dt>
        <dd>
          <Copyable text={request.request_id} what="Request id" />
        </dd>
      </dl>
      {request.status >= 400 && <Remedy request={request} />}
      <p class="hint">
        The log holds no bodies, ids in paths or query values. The response that your program received has the message; find it by the
        request id, its <code>X-Request-Id</code>.
      </p>
    </>
  );
};
