import { autoDisableAfter, autoDisableReason } from '../../../../shared/domain/webhook/record.ts';
import type { Endpoint } from '../contract.ts';
import { Badge } from '../ui/parts.tsx';

/** Describes an endpoint's health. */
export const Health = ({ of: { enabled, disabled_reason, delivery_stats } }: { readonly of: Endpoint }) => {
  const { consecutive_failures: failures, last_delivery_at } = delivery_stats;
  if (!enabled) return <Badge tone="quiet">{disabled_reason === autoDisableReason ? 'Disabled after failures' : 'Disabled'}</Badge>;
  if (failures > 0) return <Badge tone="bad">Failing</Badge>;
  if (last_delivery_at === null) return <Badge tone="waiting">Nothing sent yet</Badge>;
  return <Badge tone="good">Healthy</Badge>;
};

/** Returns the consequence of a number of failures in a row. */
export const failuresHint = ({ enabled, delivery_stats }: Endpoint): string | undefined => {
  const { consecutive_failures: failures } = delivery_stats;
  if (!enabled) return 'Events are not delivered here while it is disabled.';
  return failures > 0 ? `It is disabled by itself after ${autoDisableAfter} failures in a row.` : undefined;
};
