import type { ComponentChildren } from 'preact';
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { AnnouncedContext } from './surroundings.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Along the side instead of in the middle. */
  readonly sheet?: boolean;
  /** Neither Escape nor a cross closes it: what it shows is shown once. */
  readonly deliberate?: boolean;
  /** Id of what is read out with the title. */
  readonly describedBy?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser, which keeps the focus and returns it afterwards. */
export const Dialog = ({ title, onClose, sheet = false, deliberate = false, describedBy, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const announced = useContext(AnnouncedContext);
  // An announcement from before the dialog opened does not belong to it.
  const saidBefore = useRef(announced);
  if (announced !== saidBefore.current) saidBefore.current = '';
  const ended = useRef(false);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // This close was requested; it must not close a dialog that was opened since.
      ended.current = true;
      // Closed before it leaves the document, or the focus would be lost with it.
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={sheet ? 'sheet' : 'box'}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      // A browser asks once; a second Escape would close it all the same.
      onKeyDown={(event) => {
        if (deliberate && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!deliberate) onClose();
      }}
      onClose={() => {
        if (ended.current) return;
        // Neither does a phone's way back ask twice.
        if (deliberate) element.current?.showModal();
        else onClose();
      }}
    >
      <header>
        <h3 id={titleId}>{title}</h3>
        {!deliberate && (
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
      <p class="said" role="status">
        {announced === saidBefore.current ? '' : announced}
      </p>
    </dialog>
  );
};
