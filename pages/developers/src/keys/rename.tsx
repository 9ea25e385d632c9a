import { useState } from 'preact/hooks';
import type { ApiKey } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField, withServiceError } from '../ui/field.tsx';
import { FormButtons, Problem } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';

interface RenameKeyProps {
  readonly apiKey: ApiKey;
  readonly onRenamed: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** The key's rights and value stay. */
export const RenameKey = ({ apiKey: key, onRenamed, onClose }: RenameKeyProps) => {
  const work = useWork();
  const [name, setName] = useState(key.name);
  const [sent, setSent] = useState(false);
  const isValid = name.trim() !== '';
  const errors = withServiceError(sent && !isValid ? { name: 'Enter a name.' } : {}, work.failure);
  const rename = () =>
    work.run(async (change) => {
      const renamed = await change('key.update', { id: key.id, name: name.trim() });
      await onRenamed(renamed.name);
    });
  return (
    <Dialog title={`Rename ${key.name}`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setSent(true);
          if (isValid) void rename();
        }}
      >
        <TextField label="Name" autofocus required maxLength={100} value={name} error={errors['name']} onText={setName} />
        {!work.failure?.field && <Problem failure={work.failure} />}
        <FormButtons busy={work.busy} action="Rename" onClose={onClose} />
      </form>
    </Dialog>
  );
};
