import { useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type FieldErrors, focusInvalid, TextField, withServiceError } from '../ui/field.tsx';
import { msOfLocal } from '../ui/local-time.ts';
import { FormButtons, Problem, RetryHint } from '../ui/parts.tsx';
import { useSurroundings } from '../ui/surroundings.ts';
import { useWork } from '../ui/work.ts';
import { secretGroups } from './groups.ts';

interface CreateKeyProps {
  /** Receives the created key with its value, which is shown only once. */
  readonly onCreated: (key: ApiKey & { readonly key: string }) => void;
  readonly onClose: () => void;
}

const dayMs = 86_400_000;

const lifetimes = [
  ['never', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In 1 year'],
  ['date', 'At a date of your choice'],
] as const;

const types = [
  { type: 'secret', label: 'Secret', hint: 'For your servers. Never put it into a web page or an app.' },
  {
    type: 'publishable',
    label: 'Publishable',
    hint: 'For web shops and apps. Shows the catalog and starts checkouts; anyone may see it.',
  },
] as const;

export const CreateKey = ({ onCreated, onClose }: CreateKeyProps) => {
  const work = useWork();
  const { timeZone } = useSurroundings();
  const [type, setType] = useState<ApiKey['type']>('secret');
  const [group, setGroup] = useState('readOnly');
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState('never');
  const [date, setDate] = useState('');
  const [sent, setSent] = useState(false);
  // The moment of opening, not of sending: a repeated call must be the same call.
  const [openedMs] = useState(Date.now);
  const chosen = secretGroups.find((one) => one.name === group);
  const endMs = lifetime === 'date' ? msOfLocal(date, timeZone) : lifetime === 'never' ? null : openedMs + Number(lifetime) * dayMs;
  const found: FieldErrors = {
    name: name.trim() === '' ? 'Enter a name, for example the program that uses the key.' : undefined,
    expires_at: lifetime === 'date' && (endMs === null || endMs <= openedMs) ? 'Choose a moment in the future.' : undefined,
  };
  const isValid = Object.values(found).every((error) => error === undefined);
  const errors = withServiceError(sent ? found : {}, work.failure);
  const create = () =>
    work.run(async (change) => {
      const expiry = endMs === null ? {} : { expires_at: new Date(endMs).toISOString() };
      const input = { type, name: name.trim(), ...(type === 'secret' ? { group } : {}), ...expiry };
      onCreated(await change('key.create', input));
    });
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if (isValid) void create();
          else focusInvalid(event.currentTarget);
        }}
      >
        <TextField
          label="Name"
          autofocus
          required
          maxLength={100}
          placeholder="Stock sync"
          value={name}
          error={errors['name']}
          onText={setName}
        />
        <fieldset>
          <legend>Type</legend>
          {types.map((one) => (
            <label class="choice" key={one.type}>
              <input type="radio" name="type" value={one.type} checked={type === one.type} onChange={() => setType(one.type)} />
              <span>
                <strong>{one.label}</strong>
                <small>{one.hint}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {type === 'secret' && (
          <>
            <label>
              Group
              <select value={group} onChange={(event) => setGroup(event.currentTarget.value)} aria-describedby="group-scopes">
                {secretGroups.map((one) => (
                  <option key={one.name} value={one.name}>
                    {one.label}
                  </option>
                ))}
              </select>
            </label>
            <p class="hint" id="group-scopes">
              May use: {chosen?.scopes.join(', ')}
            </p>
          </>
        )}
        <label>
          Expires
          <select value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)}>
            {lifetimes.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        {lifetime === 'date' && (
          <TextField
            label={`Expires at (${timeZone})`}
            type="datetime-local"
            required
            value={date}
            error={errors['expires_at']}
            onText={setDate}
          />
        )}
        {!(work.failure?.field && errors[work.failure.field]) && <Problem failure={work.failure} />}
        <RetryHint failure={work.failure} />
        <FormButtons busy={work.busy} action="Create key" onClose={onClose} />
      </form>
    </Dialog>
  );
};
