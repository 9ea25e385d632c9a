import { useState } from 'preact/hooks';
import type { Change, Endpoint, Read } from '../contract.ts';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { localOfMs, msOfLocal } from '../ui/local-time.ts';
import { FormButtons, Loading, Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useLoaded, useWork } from '../ui/work.ts';
import { typeOptions } from './filters.tsx';

interface RedeliverFailedProps {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint chosen in the filters; empty: none. */
  readonly endpoint: string;
  readonly sinceMs: number | null;
  /** The event type chosen in the filters; empty: all. */
  readonly type: string;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/**
 * Longer than a whole run of retries: an event that failed at its end happened before yesterday.
 */
const lookBackMs = 3 * 86_400_000;

/** Which failures to redeliver. */
interface Failures {
  readonly endpoint: string;
  readonly sinceMs: number;
  readonly untilMs?: number | null;
  /** An event type; empty: all. */
  readonly type?: string;
}

/** How far a redelivery is. */
export interface Progress {
  readonly count: number;
  readonly remaining: number;
  /** There may be more left than were counted. */
  readonly orMore: boolean;
}

export const RedeliveryProgress = ({ progress }: { readonly progress: Progress | undefined }) => {
  const { formatNumber } = useSurroundings();
  if (!progress) return null;
  const { count, remaining, orMore } = progress;
  return (
    <p role="status">
      {formatNumber(count)} under way again, {orMore && 'at least '}
      {formatNumber(remaining)} left.
    </p>
  );
};

/** Redelivers page by page and returns the number of deliveries. Throws if a page comes twice. */
export const redeliverAll = async (change: Change, failures: Failures, onProgress?: (progress: Progress) => void): Promise<number> => {
  const { endpoint, sinceMs, untilMs, type } = failures;
  const query = {
    endpoint_id: endpoint,
    since: new Date(sinceMs).toISOString(),
    ...(untilMs ? { until: new Date(untilMs).toISOString() } : {}),
    ...(type ? { type } : {}),
  };
  let count = 0;
  const seen = new Set<string | null>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await change('webhook.redeliver_failed', { ...query, ...(cursor ? { cursor } : {}) });
    count += page.redelivered;
    onProgress?.({ count, remaining: page.left, orMore: page.left_or_more });
    cursor = page.next_cursor;
    if (seen.has(cursor)) throw new Error('The service returned the same page twice. Refresh, then continue.');
    seen.add(cursor);
  }
  return count;
};

const outcomeOf = (count: number, formatNumber: (value: number) => string): string =>
  count === 0
    ? 'Nothing failed there in that time.'
    : `${formatNumber(count)} ${count === 1 ? 'delivery is' : 'deliveries are'} under way again.`;

/** Returns the endpoints with failed deliveries first. */
const readFailing = async (read: Read, endpoints: readonly Endpoint[]) => {
  const input = (endpoint: Endpoint) => ({ endpoint_id: endpoint.id, status: 'failed', limit: 1 });
  const pages = await Promise.all(endpoints.map((endpoint) => read('delivery.list', input(endpoint))));
  const choices = endpoints.map((endpoint, at) => ({ ...endpoint, hasFailures: (pages[at]?.data.length ?? 0) > 0 }));
  return choices.toSorted((one, other) => Number(other.hasFailures) - Number(one.hasFailures));
};

/** Asks which failures to redeliver, once it is known which endpoints have some. */
export const RedeliverFailed = (props: RedeliverFailedProps) => {
  const { read } = useSurroundings();
  const choices = useLoaded(() => readFailing(read, props.endpoints), 'failing');
  return (
    <Dialog title="Redeliver what failed" onClose={props.onClose}>
      <Problem failure={choices.failure} onRetry={choices.reload} />
      {!choices.value && choices.loading && <Loading what="endpoints" />}
      {choices.value && <RedeliverForm {...props} endpoints={choices.value} />}
    </Dialog>
  );
};

interface RedeliverFormProps extends RedeliverFailedProps {
  readonly endpoints: readonly (Endpoint & { readonly hasFailures: boolean })[];
}

/** Redelivers all failures of one endpoint since a given time. Enables the endpoint first if it is disabled. */
const RedeliverForm = ({ endpoints, endpoint, sinceMs, type: chosenType, onDone, onClose }: RedeliverFormProps) => {
  const { formatNumber, timeZone } = useSurroundings();
  const work = useWork();
  const [chosen, setChosen] = useState(endpoints.find(({ id }) => id === endpoint)?.id ?? endpoints[0]?.id ?? '');
  const isDisabled = endpoints.some(({ id, enabled }) => id === chosen && !enabled);
  const [since, setSince] = useState(localOfMs(sinceMs ?? Date.now() - lookBackMs, timeZone));
  const [until, setUntil] = useState('');
  const [type, setType] = useState(chosenType);
  const [progress, setProgress] = useState<Progress>();
  const redeliver = () =>
    work.run(async (change) => {
      const ms = msOfLocal(since, timeZone);
      if (ms === null) throw new Error('Since must be a date and a time.');
      if (isDisabled) await change('webhook.enable', { id: chosen });
      const failures = { endpoint: chosen, sinceMs: ms, untilMs: msOfLocal(until, timeZone), type };
      onDone(outcomeOf(await redeliverAll(change, failures, setProgress), formatNumber));
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void redeliver();
      }}
    >
      <p>Each failed event that happened in the given time is sent again, with the same id and a new run of retries.</p>
      <label>
        Endpoint
        <select value={chosen} required onChange={(event) => setChosen(event.currentTarget.value)}>
          {endpoints.map(({ id, url, enabled, hasFailures }) => (
            <option key={id} value={id}>
              {[url, enabled ? '' : 'disabled', hasFailures ? '' : 'nothing failed'].filter(Boolean).join(' – ')}
            </option>
          ))}
        </select>
      </label>
      {isDisabled && <p class="hint">The endpoint is disabled. Fix its receiver, then enable it here.</p>}
      <label>
        Happened since ({timeZone})
        <input type="datetime-local" required value={since} onInput={(event) => setSince(event.currentTarget.value)} />
      </label>
      <label>
        Until ({timeZone})
        <input type="datetime-local" value={until} min={since} onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <Choice label="Event type" value={type} all="Any type" options={typeOptions} onChoose={setType} />
      <RedeliveryProgress progress={progress} />
      <Problem failure={work.failure} />
      <FormButtons
        busy={work.busy}
        action={work.busy ? 'Redelivering…' : isDisabled ? 'Enable and redeliver' : 'Redeliver'}
        onClose={onClose}
      />
    </form>
  );
};
