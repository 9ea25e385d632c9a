import type { ApiKey } from '../contract.ts';
import { Choice, IdField } from '../ui/choice.tsx';
import { PeriodFields } from '../ui/period-fields.tsx';
import { statusWords } from '../ui/words.ts';
import type { RequestFilters } from './query.ts';

interface FiltersProps {
  readonly keys: readonly ApiKey[];
  readonly filters: RequestFilters;
  readonly onChange: (filters: RequestFilters) => void;
}

const codes = ['400', '401', '403', '404', '409', '422', '429'] as const;
const statuses: readonly (readonly [string, string])[] = [
  ['2xx', 'Succeeded (2xx)'],
  ['4xx', 'Rejected (4xx)'],
  ['5xx', 'Failed (5xx)'],
  ...codes.map((code) => [code, statusWords(Number(code))] as const),
];

export const Filters = ({ keys, filters, onChange }: FiltersProps) => (
  <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
    <IdField label="Request id" value={filters.requestId} onSearch={(requestId) => onChange({ ...filters, requestId })} />
    <Choice
      isFilter
      label="Status"
      value={filters.status}
      all="Any status"
      options={statuses}
      onChoose={(status) => onChange({ ...filters, status })}
    />
    <Choice
      isFilter
      label="Key"
      value={filters.key}
      all="All keys"
      options={keys.map(({ id, name }) => [id, name])}
      onChoose={(key) => onChange({ ...filters, key })}
    />
    <PeriodFields period={filters} onChange={(period) => onChange({ ...filters, ...period })} />
  </form>
);
