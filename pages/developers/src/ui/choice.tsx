import { useEffect, useState } from 'preact/hooks';

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

interface IdFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (id: string) => void;
}

/** A field of a list's filters that searches for an id after Enter, or when it loses the focus. */
export const IdField = ({ label, value, onSearch }: IdFieldProps) => {
  const [id, setId] = useState(value);
  // Cleared filters clear the field.
  useEffect(() => setId(value), [value]);
  const search = () => {
    if (id.trim() !== value) onSearch(id.trim());
  };
  return (
    <label>
      <span class="unseen">{label}</span>
      <input
        type="search"
        value={id}
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        maxLength={128}
        onInput={(event) => setId(event.currentTarget.value)}
        onKeyDown={({ key }) => key === 'Enter' && search()}
        onBlur={search}
        onChange={search}
      />
    </label>
  );
};
