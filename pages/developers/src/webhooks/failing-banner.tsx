import { autoDisableAfter } from '../../../../shared/domain/webhook/record.ts';
import type { Endpoint } from '../contract.ts';
import { Icon } from '../ui/icon.tsx';
import { useSurroundings } from '../ui/surroundings.ts';

interface FailingBannerProps {
  readonly endpoint: Endpoint;
  /** Shows the endpoint's page. Absent on that page. */
  readonly onOpen: (() => void) | undefined;
}

/** An endpoint that is close to being disabled, and the way to what its receiver responds. */
export const FailingBanner = ({ endpoint: { url, delivery_stats: stats }, onOpen }: FailingBannerProps) => {
  const { formatNumber } = useSurroundings();
  return (
    <section class="warning endpoint-banner" aria-label={`${url} is failing`}>
      <Icon name="alert" />
      <div>
        <div>
          <strong title={url}>Failing: {url}</strong>
          <p>
            It failed {formatNumber(stats.consecutive_failures)} times in a row. At {autoDisableAfter} it is disabled, and events that
            happen from then on are not delivered later. The deliveries show what the receiver responded.
          </p>
        </div>
        {onOpen && (
          <div class="buttons">
            <button type="button" onClick={onOpen}>
              Show deliveries
            </button>
          </div>
        )}
      </div>
    </section>
  );
};
