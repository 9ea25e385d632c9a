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
}

/** A labelled list from which one value or all are chosen. */
export const Choice = ({ label, value, all, options, onChoose }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{all}</option>
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
    <label>
      Since
      <input
        type="datetime-local"
        value={ms === null ? '' : localOfMs(ms, timeZone)}
        onChange={(event) => onChange(msOfLocal(event.currentTarget.value, timeZone))}
      />
    </label>
  );
};
