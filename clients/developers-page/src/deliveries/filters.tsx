import { eventTypes } from '../../../../shared/domain/event/types.ts';
import type { Endpoint } from '../contract.ts';
import { localOfMs, msOfLocal } from '../ui/local-time.ts';
import { useSurroundings } from '../ui/surroundings.ts';
import type { DeliveryFilters } from './feed.ts';

interface FiltersProps {
  readonly endpoints: readonly Endpoint[];
  readonly filters: DeliveryFilters;
  readonly onChange: (filters: DeliveryFilters) => void;
}

const statuses = { delivered: 'Delivered', pending: 'Pending or retrying', failed: 'Failed' } as const;

export const Filters = ({ endpoints, filters, onChange }: FiltersProps) => {
  const { timeZone } = useSurroundings();
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <label>
        Endpoint
        <select value={filters.endpoint} onChange={(event) => onChange({ ...filters, endpoint: event.currentTarget.value })}>
          <option value="">All endpoints</option>
          {endpoints.map(({ id, url }) => (
            <option key={id} value={id}>
              {url}
            </option>
          ))}
        </select>
      </label>
      <label>
        Status
        <select value={filters.status} onChange={(event) => onChange({ ...filters, status: event.currentTarget.value })}>
          <option value="">Any status</option>
          {Object.entries(statuses).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label>
        Event type
        <select value={filters.type} onChange={(event) => onChange({ ...filters, type: event.currentTarget.value })}>
          <option value="">Any type</option>
          {eventTypes.map((type) => (
            <option key={type} value={type}>
              {type}
            </option>
          ))}
        </select>
      </label>
      <label>
        Since
        <input
          type="datetime-local"
          value={filters.sinceMs === null ? '' : localOfMs(filters.sinceMs, timeZone)}
          onChange={(event) => onChange({ ...filters, sinceMs: msOfLocal(event.currentTarget.value, timeZone) })}
        />
      </label>
    </form>
  );
};
