import { useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';
import { secretGroups } from './groups.ts';

interface CreateKeyProps {
  /** Receives the created key with its value, which is shown only once. */
  readonly onCreated: (key: ApiKey & { readonly key: string }) => void;
  readonly onClose: () => void;
}

const types = [
  { type: 'secret', label: 'Secret', hint: 'For your servers. Never put it into a web page or an app.' },
  {
    type: 'publishable',
    label: 'Publishable',
    hint: 'For web shops and apps. Shows the catalog and starts checkouts; anybody may see it.',
  },
] as const;

export const CreateKey = ({ onCreated, onClose }: CreateKeyProps) => {
  const work = useWork();
  const [type, setType] = useState<ApiKey['type']>('secret');
  const [group, setGroup] = useState('readOnly');
  const [name, setName] = useState('');
  const chosen = secretGroups.find((one) => one.name === group);
  const create = () =>
    work.run(async (change) => {
      const input = { type, name: name.trim(), ...(type === 'secret' ? { group } : {}) };
      onCreated(await change('key.create', input));
    });
  return (
    <Dialog title="Create an API key" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label>
          Name
          <input
            autofocus
            required
            maxLength={100}
            autocomplete="off"
            placeholder="Stock synchronisation"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
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
        <Problem failure={work.failure} />
        <footer class="buttons">
          <button type="submit" class="primary" aria-disabled={work.busy}>
            Create key
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
