import { useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';

interface RenameKeyProps {
  readonly of: ApiKey;
  readonly onRenamed: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** The key's rights and value stay. */
export const RenameKey = ({ of: key, onRenamed, onClose }: RenameKeyProps) => {
  const work = useWork();
  const [name, setName] = useState(key.name);
  const rename = () =>
    work.run(async (change) => {
      const renamed = await change('key.update', { id: key.id, name: name.trim() });
      await onRenamed(renamed.name);
    });
  return (
    <Dialog title={`Rename ${key.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <label>
          Name
          <input
            autofocus
            required
            maxLength={100}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <Problem failure={work.failure} />
        <footer class="buttons">
          <button type="submit" class="primary" aria-disabled={work.busy}>
            Rename
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </footer>
      </form>
    </Dialog>
  );
};
