import { localOfMs, msOfLocal } from './local-time.ts';
import type { Period } from './period.ts';
import { useSurroundings } from './surroundings.ts';

/** The fields of a list's filters: `Since`, and `Until` once either has a time. */
export const PeriodFields = ({ period, onChange }: { readonly period: Period; readonly onChange: (period: Period) => void }) => {
  const { timeZone } = useSurroundings();
  const isLimited = period.sinceMs !== null || period.untilMs !== null;
  return (['since', ...(isLimited ? (['until'] as const) : [])] as const).map((name) => {
    const ms = period[`${name}Ms`];
    return (
      <label class="period" key={name}>
        <span>{name === 'since' ? 'Since' : 'Until'}</span>
        <input
          type="datetime-local"
          value={ms === null ? '' : localOfMs(ms, timeZone)}
          onChange={(event) => onChange({ ...period, [`${name}Ms`]: msOfLocal(event.currentTarget.value, timeZone) })}
        />
      </label>
    );
  });
};
