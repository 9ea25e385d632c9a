import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { AnnouncedContext, InDialogContext, useSurroundings } from './surroundings.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Shows the dialog at the side instead of the center. */
  readonly sheet?: boolean;
  /** Prevents closing by Escape, Back or a close button, because its content is shown only once. */
  readonly deliberate?: boolean;
  /** Id of the element that screen readers read with the title. */
  readonly describedBy?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog of the browser, which keeps the focus and returns it afterwards. */
export const Dialog = ({ title, onClose, sheet = false, deliberate = false, describedBy, children }: DialogProps) => {
  const element = useRef<HTMLDialogElement>(null);
  const announced = useContext(AnnouncedContext);
  // An announcement from before the dialog opened does not belong to it.
  const earlierAnnouncement = useRef(announced);
  if (announced !== earlierAnnouncement.current) earlierAnnouncement.current = '';
  const ended = useRef(false);
  const { hold } = useSurroundings();
  useEffect(() => (deliberate ? hold() : undefined), []);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      // This close was requested; it must not close a dialog that was opened since.
      ended.current = true;
      // Close before leaving the document; otherwise the focus is lost with it.
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={sheet ? 'sheet' : 'box'}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      // A browser asks only once; a second Escape would close the dialog.
      onKeyDown={(event) => {
        if (deliberate && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!deliberate) onClose();
      }}
      onClose={() => {
        if (ended.current) return;
        // A phone's back gesture also asks only once.
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
      <InDialogContext.Provider value={true}>{children}</InDialogContext.Provider>
      <p class="said" role="status">
        {announced === earlierAnnouncement.current ? '' : announced}
      </p>
    </dialog>
  );
};
