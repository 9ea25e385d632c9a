import { useState } from 'preact/hooks';
import type { Endpoint } from '../contract.ts';
import { type Progress, RedeliveryProgress, redeliverAll } from '../deliveries/redeliver-failed.tsx';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';
import { failingSince } from './failing-since.ts';

interface DisabledBannerProps {
  readonly endpoint: Endpoint;
  readonly onDone: (words: string) => Promise<void>;
}

/** An endpoint that failures disabled, what it means, and the way back. */
export const DisabledBanner = ({ endpoint, onDone }: DisabledBannerProps) => {
  const { formatTime, formatNumber } = useSurroundings();
  const work = useWork();
  const [progress, setProgress] = useState<Progress>();
  const { id, url, delivery_stats: stats } = endpoint;
  const since = failingSince(endpoint);
  const enable = () =>
    work.run(async (change) => {
      await change('webhook.enable', { id });
      await onDone(`${url} is enabled.`);
    });
  const redeliver = () =>
    work.run(async (change) => {
      await change('webhook.enable', { id });
      const count = await redeliverAll(change, { endpoint: id, sinceMs: Date.parse(since) }, setProgress);
      await onDone(`${url} is enabled. ${formatNumber(count)} failed ${count === 1 ? 'delivery is' : 'deliveries are'} under way again.`);
    });
  return (
    <section class="problem endpoint-banner" aria-label={`${url} was disabled`}>
      <Icon name="alert" />
      <div>
        <div>
          <strong title={url}>Disabled: {url}</strong>
          <p>
            It failed {formatNumber(stats.consecutive_failures)} times in a row. Fix the receiver, then enable the endpoint, with or without
            the events that failed since <span>{formatTime(since)}</span>. Events that happen while it is disabled are not delivered later.
          </p>
          <RedeliveryProgress progress={work.busy ? progress : undefined} />
          <Problem failure={work.failure} />
        </div>
        <div class="buttons">
          <button type="button" aria-disabled={work.busy} onClick={enable}>
            Enable
          </button>
          <button type="button" aria-disabled={work.busy} onClick={redeliver}>
            {work.busy ? 'Working…' : 'Enable and redeliver since then'}
          </button>
        </div>
      </div>
    </section>
  );
};
