import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { useSurroundings } from './surroundings.ts';

const tokenPattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Splits JSON text into colored and plain parts. Their order and text are the original's. */
export const jsonParts = (json: string): readonly { readonly text: string; readonly kind: 'key' | 'text' | 'value' | 'plain' }[] => {
  const parts: { text: string; kind: 'key' | 'text' | 'value' | 'plain' }[] = [];
  let at = 0;
  for (const match of json.matchAll(tokenPattern)) {
    const [whole, quoted, colon] = match;
    if (match.index > at) parts.push({ text: json.slice(at, match.index), kind: 'plain' });
    parts.push({ text: quoted ?? whole, kind: quoted === undefined ? 'value' : colon === undefined ? 'text' : 'key' });
    if (colon !== undefined) parts.push({ text: colon, kind: 'plain' });
    at = match.index + whole.length;
  }
  if (at < json.length) parts.push({ text: json.slice(at), kind: 'plain' });
  return parts;
};

/**
 * A delivery's body, indented and colored. *Copy* copies the sent bytes, which the signature
 * covers.
 */
export const Payload = ({ body, labelledBy }: { readonly body: string; readonly labelledBy: string }) => {
  const { announce } = useSurroundings();
  const [copied, setCopied] = useState(false);
  const pretty = JSON.stringify(JSON.parse(body), null, 2);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(body);
      setCopied(true);
      announce('Payload copied, byte for byte as it was sent.');
    } catch {
      announce('The browser does not allow copying here. Select the text and copy it with the keyboard.');
    }
  };
  return (
    <div class="payload-box">
      <button type="button" class="small" onClick={copy}>
        <Icon name={copied ? 'check' : 'copy'} />
        {copied ? 'Copied' : 'Copy payload'}
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard */}
      <section class="payload" tabIndex={0} aria-labelledby={labelledBy}>
        <pre>{jsonParts(pretty).map(({ text, kind }) => (kind === 'plain' ? text : <span class={`json-${kind}`}>{text}</span>))}</pre>
      </section>
    </div>
  );
};
