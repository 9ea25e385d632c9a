import { copyButton } from './copy.ts';

/** Response headers to show; all others are the same for every response. */
const shownHeader = /^(x-request-id|x-ratelimit-.*|retry-after|idempotent-replayed|cache-control)$/;

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Reads the request from the form. Empty fields are not sent. */
const requestOf = (form: HTMLFormElement): Request => {
  const controls = [...form.querySelectorAll<Control>('[data-in]')];
  const valuesIn = (part: string) =>
    controls.flatMap(({ dataset, name, value }) => (dataset['in'] === part && value.trim() ? [[name, value.trim()] as const] : []));
  const firstOf = (part: string) => valuesIn(part)[0]?.[1];
  let path = form.dataset['path'] ?? '';
  for (const [name, value] of valuesIn('path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(valuesIn('query').map(([name, value]) => [name, value])).toString();
  const base = (firstOf('base') ?? location.origin).replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  const body = firstOf('body');
  return {
    method: form.dataset['method'] ?? 'GET',
    url: `${base}/api/v2${path}${query ? `?${query}` : ''}`,
    headers: {
      Authorization: `Bearer ${firstOf('key') ?? ''}`,
      ...Object.fromEntries(valuesIn('header')),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body,
  };
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const asCurl = ({ method, url, headers, body }: Request): string =>
  [
    `curl -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');

const make = (tag: string, name: string, ...content: readonly (Node | string)[]): HTMLElement => {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...content);
  if (tag === 'pre') element.tabIndex = 0;
  return element;
};

/** Colors JSON with the classes that the samples of the page have. */
const colored = (text: string): (Node | string)[] => {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, index } of text.matchAll(
    /("(?:[^"\\]|\\.)*")(?=(:)?)|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g,
  )) {
    const kind = string ? (colon ? 'attr' : 'string') : /^[tfn]/.test(token) ? 'literal' : 'number';
    parts.push(text.slice(end, index), make('span', `hljs-${kind}`, token));
    end = index + token.length;
  }
  return [...parts, text.slice(end)];
};

/** Returns the first value that cannot be sent as a header: it has a line end, or a character that is not ASCII. */
const unsendable = (form: HTMLFormElement): { readonly label: string; readonly character: string } | undefined => {
  for (const control of form.querySelectorAll<Control>('[data-in=key], [data-in=header]')) {
    const [character] = /[^\x20-\x7e]/u.exec(control.value.trim()) ?? [];
    if (character !== undefined) return { label: control.labels?.[0]?.textContent ?? control.name, character };
  }
  return undefined;
};

const nameOf = (character: string): string => (/\s/.test(character) ? 'a line end or another invisible space' : `“${character}”`);

const failure = (text: string): HTMLElement => make('p', 'failed', text);

/** Sends the request, and returns its result for the page. */
const send = async ({ method, url, headers, body }: Request): Promise<HTMLElement[]> => {
  const start = performance.now();
  try {
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), cache: 'no-store', credentials: 'omit' });
    const text = await response.text();
    const took = `${Math.round(performance.now() - start)} ms`;
    const headerLines = [...response.headers].flatMap(([name, value]) => (shownHeader.test(name) ? `${name}: ${value}` : []));
    const status = make('p', response.ok ? 'good' : 'failed', `${response.status} ${response.statusText}`);
    return [
      make(
        'div',
        'bar',
        status,
        make('span', 'took', took),
        copyButton('the response', () => pretty(text)),
      ),
      make('pre', 'body', ...colored(pretty(text))),
      ...(headerLines.length > 0
        ? [make('details', '', make('summary', '', 'Response headers'), make('pre', '', headerLines.join('\n')))]
        : []),
    ];
  } catch {
    const isHere = url.startsWith(location.origin);
    const words = isHere
      ? 'The local service does not respond. Is it still running?'
      : `The browser received no response from ${url}. Check the address. A browser can call only endpoints that accept publishable keys. Copy all other requests as curl.`;
    return [failure(words)];
  }
};

/** Returns the first required field without a value, and marks all of them. */
const firstEmpty = (form: HTMLFormElement): Control | undefined => {
  const required = [...form.querySelectorAll<Control>('[required]')];
  for (const control of required) control.setAttribute('aria-invalid', String(!control.value.trim()));
  return required.find((control) => !control.value.trim());
};

/** Fields that are copied to every form of the page. */
const shared = ['base', 'key'];

/** Enables a form. */
export const work = (box: HTMLElement) => {
  const form = box.querySelector('form');
  const result = box.querySelector('.response');
  const button = box.querySelector<HTMLButtonElement>('.send');
  const copy = box.querySelector<HTMLButtonElement>('.as-curl');
  if (!form || !result || !button || !copy) return;
  const control = (part: string) => form.querySelector<Control>(`[data-in=${part}]`);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const empty = firstEmpty(form);
    if (empty) {
      empty.focus();
      return result.replaceChildren(failure(`Enter a value: ${empty.labels?.[0]?.textContent ?? empty.name}.`));
    }
    const wrong = unsendable(form);
    if (wrong)
      return result.replaceChildren(
        failure(`${wrong.label} contains ${nameOf(wrong.character)}, which a header cannot have. Copy the value again.`),
      );
    button.disabled = true;
    result.replaceChildren(...(await send(requestOf(form))));
    button.disabled = false;
    result.scrollIntoView({ block: 'nearest' });
  });
  form.addEventListener('input', ({ target }) => {
    const { dataset, value } = target as Control;
    const part = dataset['in'] ?? '';
    const body = control('body');
    if (part === 'example' && body) body.value = value;
    if (shared.includes(part)) for (const other of document.querySelectorAll<Control>(`.try [data-in=${part}]`)) other.value = value;
  });
  for (const choice of form.querySelectorAll<HTMLButtonElement>('[data-key]'))
    choice.addEventListener('click', () => {
      const key = control('key');
      if (key) key.value = choice.dataset['key'] ?? '';
    });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(asCurl(requestOf(form)));
    result.replaceChildren(make('p', 'good', 'Copied.'));
  });
  form.querySelector('fieldset')?.removeAttribute('disabled');
};
