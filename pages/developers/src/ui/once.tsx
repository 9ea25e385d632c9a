import { useId, useRef } from 'preact/hooks';
import { useCopy } from './copyable.tsx';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';

interface ShownOnceProps {
  readonly title: string;
  /** Label of the value. */
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly onDone: () => void;
}

/** A value that cannot be read again. It exists in this element only, and goes with it. */
export const ShownOnce = ({ title, label, value, note, onDone }: ShownOnceProps) => {
  const warning = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { copied, copy } = useCopy(value, label);
  return (
    <Dialog title={title} onClose={onDone} deliberate describedBy={warning}>
      <p class="warning" id={warning}>
        <Icon name="alert" />
        <span>Copy it now and keep it in a safe place. It is shown this once and cannot be shown again.</span>
      </p>
      <label>
        {label}
        <textarea
          ref={field}
          class="secret"
          readOnly
          rows={2}
          spellcheck={false}
          autocomplete="off"
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
      </label>
      <p class="hint">{note}</p>
      <footer class="buttons">
        <button type="button" class="primary" autofocus onClick={() => copy(() => field.current?.select())}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" onClick={onDone}>
          Done
        </button>
      </footer>
    </Dialog>
  );
};
