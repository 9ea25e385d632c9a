import { eventTypes } from '../../../../shared/domain/event/types.ts';
import type { Endpoint } from '../contract.ts';
import { Choice, IdField } from '../ui/choice.tsx';
import { PeriodFields } from '../ui/period-fields.tsx';
import type { DeliveryFilters } from './pages.ts';

interface FiltersProps {
  /** Endpoints to choose from; without any there is no choice. */
  readonly endpoints: readonly Endpoint[];
  readonly filters: DeliveryFilters;
  readonly onChange: (filters: DeliveryFilters) => void;
}

const statuses = { delivered: 'Delivered', pending: 'Pending or retrying', failed: 'Failed' } as const;

export const typeOptions = eventTypes.map((type) => [type, type] as const);

export const Filters = ({ endpoints, filters, onChange }: FiltersProps) => (
  <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
    <IdField label="Event or record id" value={filters.id} onSearch={(id) => onChange({ ...filters, id })} />
    {endpoints.length > 0 && (
      <Choice
        isFilter
        label="Endpoint"
        value={filters.endpoint}
        all="All endpoints"
        options={endpoints.map(({ id, url }) => [id, url])}
        onChoose={(endpoint) => onChange({ ...filters, endpoint })}
      />
    )}
    <Choice
      isFilter
      label="Status"
      value={filters.status}
      all="Any status"
      options={Object.entries(statuses)}
      onChoose={(status) => onChange({ ...filters, status })}
    />
    <Choice
      isFilter
      label="Event type"
      value={filters.type}
      all="Any type"
      options={typeOptions}
      onChoose={(type) => onChange({ ...filters, type })}
    />
    <PeriodFields period={filters} onChange={(period) => onChange({ ...filters, ...period })} />
  </form>
);
