import { autoDisableAfter, autoDisableReason, warnAfter } from '../../../../shared/domain/webhook/record.ts';
import type { Endpoint } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';

/** Describes an endpoint's health. */
export const Health = ({ endpoint: { enabled, disabled_reason, delivery_stats } }: { readonly endpoint: Endpoint }) => {
  const { consecutive_failures: failures, last_delivery_at } = delivery_stats;
  if (!enabled && disabled_reason === autoDisableReason) return <Badge tone="bad">Disabled after failures</Badge>;
  if (!enabled) return <Badge tone="quiet">Disabled</Badge>;
  if (failures > 0)
    return (
      <Badge tone="waiting">
        Failing, {failures} of {autoDisableAfter}
      </Badge>
    );
  if (last_delivery_at === null) return <Badge tone="neutral">Nothing sent yet</Badge>;
  return <Badge tone="good">Healthy</Badge>;
};

/** Returns what the user can do about an endpoint's health, or its consequence. */
export const healthHint = ({ enabled, disabled_reason, delivery_stats }: Endpoint): string | undefined => {
  const { consecutive_failures: failures } = delivery_stats;
  if (!enabled && disabled_reason === autoDisableReason) return 'Fix the receiver, then enable the endpoint.';
  if (!enabled) return 'Receives nothing until you enable it.';
  if (failures === 0) return undefined;
  return `${failures} ${failures === 1 ? 'failure' : 'failures'} in a row. At ${autoDisableAfter} it is disabled.`;
};

/** Whether the endpoint is close to being disabled. From then on the platform has a notice too. */
export const isNearlyDisabled = ({ enabled, delivery_stats }: Endpoint): boolean =>
  enabled && delivery_stats.consecutive_failures >= warnAfter;

export const wasDisabledByFailures = ({ enabled, disabled_reason }: Endpoint): boolean => !enabled && disabled_reason === autoDisableReason;
