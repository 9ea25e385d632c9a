import { useId, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { useSurroundings } from './surroundings.ts';

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
  const { announce } = useSurroundings();
  const warning = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      announce(`${label} copied.`);
    } catch {
      field.current?.select();
      announce('The browser does not allow copying here. The value is selected: copy it with the keyboard.');
    }
  };
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
        <button type="button" class="primary" autofocus onClick={copy}>
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
