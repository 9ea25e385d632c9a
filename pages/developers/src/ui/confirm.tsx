import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Change } from '../contract.ts';
import { Dialog } from './dialog.tsx';
import { Problem } from './parts.tsx';
import { useWork } from './work.ts';

interface ConfirmProps {
  readonly title: string;
  readonly action: string;
  readonly danger?: boolean;
  readonly onConfirm: (change: Change) => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Asks for confirmation before an irreversible action. */
export const Confirm = ({ title, action, danger = false, onConfirm, onClose, children }: ConfirmProps) => {
  const work = useWork();
  const question = useId();
  return (
    <Dialog title={title} onClose={onClose} describedBy={question}>
      <div id={question}>{children}</div>
      <Problem failure={work.failure} />
      <footer class="buttons">
        <button type="button" class={danger ? 'danger' : 'primary'} aria-disabled={work.busy} onClick={() => work.run(onConfirm)}>
          {action}
        </button>
        <button type="button" autofocus onClick={onClose}>
          Cancel
        </button>
      </footer>
    </Dialog>
  );
};
