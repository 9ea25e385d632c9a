import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly onChoose: () => void;
  readonly danger?: boolean;
}

/** A button that opens a list of actions: arrows move, Escape and Tab close. */
export const Menu = ({ label, items }: { readonly label: string; readonly items: readonly MenuItem[] }) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const show = (at: number) => {
    setOpen(true);
    requestAnimationFrame(() => entries().at(at)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape' && open) close();
    else if (event.key === 'ArrowDown') open ? all[(at + 1) % all.length]?.focus() : show(0);
    else if (event.key === 'ArrowUp') open ? all.at(at - 1)?.focus() : show(-1);
    else if (event.key === 'Home' && open) all[0]?.focus();
    else if (event.key === 'End' && open) all.at(-1)?.focus();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it holds a button and its menu
    <div
      class="menu"
      ref={root}
      onKeyDown={onKeyDown}
      onFocusOut={({ relatedTarget }) => {
        if (!root.current?.contains(relatedTarget as Node | null)) setOpen(false);
      }}
    >
      <button
        type="button"
        class="icon-button"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => (open ? close() : show(0))}
      >
        <Icon name="more" />
      </button>
      <div role="menu" id={id} hidden={!open} aria-label={label}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            class={item.danger ? 'danger-quiet' : undefined}
            tabIndex={-1}
            onClick={() => {
              close();
              item.onChoose();
            }}
          >
            {item.label}
          </button>
        ))}
      </div>
    </div>
  );
};
