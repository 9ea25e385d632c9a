import { useState } from 'preact/hooks';
import type { ApiKey, PageResults } from '../contract.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormButtons, Problem, RetryHint } from '../ui/parts.tsx';
import { useWork } from '../ui/work.ts';

interface ReplaceKeyProps {
  readonly apiKey: ApiKey;
  readonly onReplaced: (key: PageResults['key.replace']) => void;
  readonly onClose: () => void;
}

const graces = [
  { hours: 0, label: 'Now', hint: 'Programs that use the old key fail until they have the new one.' },
  { hours: 1, label: 'In 1 hour', hint: undefined },
  { hours: 24, label: 'In 24 hours', hint: undefined },
  { hours: 168, label: 'In 7 days', hint: undefined },
] as const;

/**
 * Makes a key with the same rights and end, and ends the old one. A repeated call shows the same key,
 * also with another choice.
 */
export const ReplaceKey = ({ apiKey: key, onReplaced, onClose }: ReplaceKeyProps) => {
  const work = useWork();
  const [hours, setHours] = useState<number>(24);
  const replace = () =>
    work.run(async (change) => {
      onReplaced(await change('key.replace', { id: key.id, old_key_hours: hours }));
    });
  return (
    <Dialog title={`Replace ${key.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void replace();
        }}
      >
        <p>
          You get a new key with the same name{key.expires_at === null ? ' and rights' : ', rights and expiry'}. Put it into your programs
          before <code>{key.prefix}…</code> expires.
        </p>
        <fieldset>
          <legend>The old key expires</legend>
          {graces.map((one) => (
            <label class="choice" key={one.hours}>
              <input type="radio" name="hours" value={one.hours} checked={hours === one.hours} onChange={() => setHours(one.hours)} />
              <span>
                {one.label}
                {one.hint && <small>{one.hint}</small>}
              </span>
            </label>
          ))}
        </fieldset>
        <Problem failure={work.failure} />
        <RetryHint failure={work.failure} />
        <FormButtons busy={work.busy} action={work.busy ? 'Working…' : 'Replace key'} autofocus onClose={onClose} />
      </form>
    </Dialog>
  );
};
