import { useState } from 'preact/hooks';
import type { Change, Endpoint } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { localOfMs, msOfLocal } from '../ui/local-time.ts';
import { Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';

interface RedeliverFailedProps {
  readonly endpoints: readonly Endpoint[];
  /** The endpoint chosen in the filters; empty: none. */
  readonly endpoint: string;
  readonly sinceMs: number | null;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/**
 * Longer than a whole run of retries: an event that failed at its end happened before yesterday.
 */
const lookBackMs = 3 * 86_400_000;

/** Redelivers page by page and returns the number of deliveries. */
export const redeliverAll = async (change: Change, endpoint: string, sinceMs: number): Promise<number> => {
  const since = new Date(sinceMs).toISOString();
  let count = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { endpoint_id: endpoint, since, ...(cursor ? { cursor } : {}) };
    const page = await change('webhook.redeliver_failed', input);
    count += page.redelivered;
    cursor = page.next_cursor;
  }
  return count;
};

const outcomeOf = (count: number, formatNumber: (value: number) => string): string =>
  count === 0
    ? 'Nothing failed there since then.'
    : `${formatNumber(count)} ${count === 1 ? 'delivery is' : 'deliveries are'} under way again.`;

/** Redelivers all failures of one endpoint since a given time. */
export const RedeliverFailed = ({ endpoints, endpoint, sinceMs, onDone, onClose }: RedeliverFailedProps) => {
  const { formatNumber, timeZone } = useSurroundings();
  const work = useWork();
  const enabled = endpoints.filter((one) => one.enabled);
  const [chosen, setChosen] = useState(enabled.find(({ id }) => id === endpoint)?.id ?? enabled[0]?.id ?? '');
  const [since, setSince] = useState(localOfMs(sinceMs ?? Date.now() - lookBackMs, timeZone));
  const redeliver = () =>
    work.run(async (change) => {
      const ms = msOfLocal(since, timeZone);
      if (ms === null) throw new Error('Since must be a date and a time.');
      onDone(outcomeOf(await redeliverAll(change, chosen, ms), formatNumber));
    });
  return (
    <Dialog title="Redeliver what failed" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void redeliver();
        }}
      >
        <p>Each failed event that happened since the given time is sent again, with the same id and a new run of retries.</p>
        <label>
          Endpoint
          <select value={chosen} required onChange={(event) => setChosen(event.currentTarget.value)}>
            {enabled.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </label>
        {enabled.length < endpoints.length && <p class="hint">Disabled endpoints are not listed. Enable them first.</p>}
        <label>
          Happened since ({timeZone})
          <input type="datetime-local" required value={since} onInput={(event) => setSince(event.currentTarget.value)} />
        </label>
        <Problem failure={work.failure} />
        <footer class="buttons">
          <button type="submit" class="primary" aria-disabled={work.busy}>
            {work.busy ? 'Redelivering…' : 'Redeliver'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
