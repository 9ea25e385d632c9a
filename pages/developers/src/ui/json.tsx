import { useCopy } from './copyable.tsx';
import { Icon } from './icon.tsx';

const tokenPattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Splits JSON text into colored and plain parts. Their order and text are the original's. */
export const jsonParts = (json: string): readonly { readonly text: string; readonly kind: 'key' | 'text' | 'value' | 'plain' }[] => {
  const parts: { text: string; kind: 'key' | 'text' | 'value' | 'plain' }[] = [];
  let at = 0;
  for (const match of json.matchAll(tokenPattern)) {
    const [token, quoted, colon] = match;
    if (match.index > at) parts.push({ text: json.slice(at, match.index), kind: 'plain' });
    parts.push({ text: quoted ?? token, kind: quoted === undefined ? 'value' : colon === undefined ? 'text' : 'key' });
    if (colon !== undefined) parts.push({ text: colon, kind: 'plain' });
    at = match.index + token.length;
  }
  if (at < json.length) parts.push({ text: json.slice(at), kind: 'plain' });
  return parts;
};

/**
 * A delivery's body, indented and colored. *Copy* copies the sent bytes, which the signature
 * covers.
 */
export const Payload = ({ body }: { readonly body: string }) => {
  const { copied, copy } = useCopy(body, 'Payload');
  const pretty = JSON.stringify(JSON.parse(body), null, 2);
  return (
    <>
      <div class="title-row">
        <h4 id="payload">Payload</h4>
        <button type="button" class="small" onClick={() => copy()}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? 'Copied' : 'Copy payload'}
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard */}
      <section class="payload" tabIndex={0} aria-labelledby="payload">
        <pre>{jsonParts(pretty).map(({ text, kind }) => (kind === 'plain' ? text : <span class={`json-${kind}`}>{text}</span>))}</pre>
      </section>
    </>
  );
};
