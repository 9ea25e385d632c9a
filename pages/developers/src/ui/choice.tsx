import { localOfMs, msOfLocal } from './local-time.ts';
import { useSurroundings } from './surroundings.ts';

interface ChoiceProps {
  readonly label: string;
  /** Empty: all. */
  readonly value: string;
  /** Label of the choice that excludes nothing. */
  readonly all: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChoose: (value: string) => void;
  /** In a row of filters, where the chosen value says what it is of. */
  readonly isFilter?: boolean;
}

/** A labelled list from which one value or all are chosen. */
export const Choice = ({ label, value, all, options, onChoose, isFilter = false }: ChoiceProps) => (
  <label>
    <span class={isFilter ? 'unseen' : undefined}>{label}</span>
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{all}</option>
      {/* An address may name what is no longer listed. */}
      {value !== '' && options.every(([one]) => one !== value) && <option value={value}>{value}</option>}
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** The field `Since` of a list's filters. */
export const Since = ({ ms, onChange }: { readonly ms: number | null; readonly onChange: (ms: number | null) => void }) => {
  const { timeZone } = useSurroundings();
  return (
    <label class="since">
      <span>Since</span>
      <input
        type="datetime-local"
        value={ms === null ? '' : localOfMs(ms, timeZone)}
        onChange={(event) => onChange(msOfLocal(event.currentTarget.value, timeZone))}
      />
    </label>
  );
};
