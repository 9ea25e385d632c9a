import { useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { localOfMs, msOfLocal } from '../ui/local-time.ts';
import { useSurroundings } from '../ui/surroundings.ts';
import { statusWords } from '../ui/words.ts';
import type { RequestFilters } from './query.ts';

interface FiltersProps {
  readonly keys: readonly ApiKey[];
  readonly filters: RequestFilters;
  readonly onChange: (filters: RequestFilters) => void;
}

const classes = { '2xx': 'Succeeded (2xx)', '4xx': 'Rejected (4xx)', '5xx': 'Failed (5xx)' } as const;
const codes = ['400', '401', '403', '404', '409', '422', '429'] as const;

export const Filters = ({ keys, filters, onChange }: FiltersProps) => {
  const { timeZone } = useSurroundings();
  const [requestId, setRequestId] = useState(filters.requestId);
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
      <label>
        Status
        <select value={filters.status} onChange={(event) => onChange({ ...filters, status: event.currentTarget.value })}>
          <option value="">Any status</option>
          {Object.entries(classes).map(([status, label]) => (
            <option key={status} value={status}>
              {label}
            </option>
          ))}
          {codes.map((status) => (
            <option key={status} value={status}>
              {statusWords(Number(status))}
            </option>
          ))}
        </select>
      </label>
      <label>
        Key
        <select value={filters.key} onChange={(event) => onChange({ ...filters, key: event.currentTarget.value })}>
          <option value="">All keys</option>
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Request id
        <input
          type="search"
          value={requestId}
          placeholder="X-Request-Id of a response"
          autocomplete="off"
          spellcheck={false}
          maxLength={128}
          onInput={(event) => setRequestId(event.currentTarget.value)}
          onBlur={search}
          onChange={search}
        />
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
