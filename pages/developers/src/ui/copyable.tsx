import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { useSurroundings } from './surroundings.ts';

/** Copies a text and says so. `copied` is true afterwards; without the right to copy, `onDenied` runs. */
export const useCopy = (text: string, what: string) => {
  const { announce } = useSurroundings();
  const [copied, setCopied] = useState(false);
  const copy = async (onDenied?: () => void) => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce(`${what} copied.`);
    } catch {
      onDenied?.();
      announce('The browser does not allow copying here. Select the text and copy it with the keyboard.');
    }
  };
  return { copied, copy };
};

/** A text of programs with a button that copies it. */
export const Copyable = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const { copied, copy } = useCopy(text, what);
  return (
    <span class="copyable">
      <code title={text}>
        {text.split(' ').map((word, at) => (
          <Fragment key={at}>
            {at > 0 && ' '}
            <span>{word}</span>
          </Fragment>
        ))}
      </code>
      <button type="button" class="icon-button" aria-label={`Copy ${what.toLowerCase()}`} onClick={() => copy()}>
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
    </span>
  );
};
