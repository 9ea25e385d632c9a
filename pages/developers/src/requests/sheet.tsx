import { errorRemedies, errorTexts } from '../../../../shared/http/error-texts.ts';
import type { ApiRequest } from '../contract.ts';
import { Copyable } from '../ui/copyable.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Marked, Time } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { RequestStatus } from './status.tsx';

const isKnown = (code: string | null): code is keyof typeof errorTexts => code !== null && Object.hasOwn(errorTexts, code);

/** What a code means and what the caller can do, in the words of the guide. Flat errors have no code there. */
const remedyOf = ({ status, error_code }: ApiRequest): string => {
  if (isKnown(error_code)) return `${errorTexts[error_code]} ${errorRemedies[error_code]}`;
  if (status === 429) return 'There were too many requests. Wait for the seconds of `Retry-After`, then repeat it.';
  return 'The response that your program received says why.';
};

const Remedy = ({ of: request }: { readonly of: ApiRequest }) => {
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

/** Shows one request in full, as far as it is logged. */
export const RequestSheet = ({ of: request, onClose }: { readonly of: ApiRequest; readonly onClose: () => void }) => {
  const { formatNumber } = useSurroundings();
  const { method, route, key_id, key_name, error_code } = request;
  return (
    <Dialog title={`${method ?? ''} ${route ?? 'Unknown address'}`.trim()} onClose={onClose} sheet>
      <dl class="pairs">
        <dt>Status</dt>
        <dd>
          <RequestStatus of={request} />
        </dd>
        {error_code !== null && (
          <>
            <dt>Error</dt>
            <dd>
              <code>{error_code}</code>
            </dd>
          </>
        )}
        <dt>Time</dt>
        <dd>
          <Time iso={request.time} exact />
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
      {request.status >= 400 && <Remedy of={request} />}
      <p class="hint">
        The log holds no bodies, ids in paths or query values. The response that your program received has the message; find it by the
        request id, its <code>X-Request-Id</code>.
      </p>
    </Dialog>
  );
};
