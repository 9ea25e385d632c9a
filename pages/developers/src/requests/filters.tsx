import { useEffect, useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { Choice, Since } from '../ui/choice.tsx';
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

export const Filters = ({ keys, filters, onChange }: FiltersProps) => {
  const [requestId, setRequestId] = useState(filters.requestId);
  // Cleared filters clear the field.
  useEffect(() => setRequestId(filters.requestId), [filters.requestId]);
  const search = () => {
    if (requestId.trim() !== filters.requestId) onChange({ ...filters, requestId: requestId.trim() });
  };
  return (
    <form
      class="filters"
      aria-label="Filters"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
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
      <label>
        <span class="unseen">Request id</span>
        <input
          type="search"
          value={requestId}
          placeholder="Request id"
          autocomplete="off"
          spellcheck={false}
          maxLength={128}
          onInput={(event) => setRequestId(event.currentTarget.value)}
          onBlur={search}
          onChange={search}
        />
      </label>
      <Since ms={filters.sinceMs} onChange={(sinceMs) => onChange({ ...filters, sinceMs })} />
    </form>
  );
};
