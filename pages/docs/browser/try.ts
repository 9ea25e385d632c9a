/** Response headers to show; all others are the same for every response. */
const telling = /^(x-request-id|x-ratelimit-.*|retry-after|idempotent-replayed|cache-control)$/;

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
  const given = (place: string) =>
    controls.flatMap(({ dataset, name, value }) => (dataset['in'] === place && value.trim() ? [[name, value.trim()] as const] : []));
  const firstOf = (place: string) => given(place)[0]?.[1];
  let path = form.dataset['path'] ?? '';
  for (const [name, value] of given('path')) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const query = new URLSearchParams(given('query').map(([name, value]) => [name, value])).toString();
  const base = (firstOf('base') ?? location.origin).replace(/\/+$/, '').replace(/\/api\/v2$/, '');
  const body = firstOf('body');
  return {
    method: form.dataset['method'] ?? 'GET',
    url: `${base}/api/v2${path}${query ? `?${query}` : ''}`,
    headers: {
      Authorization: `Bearer ${firstOf('key') ?? ''}`,
      ...Object.fromEntries(given('header')),
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

const shown = (tag: string, text: string, name = ''): HTMLElement => {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  if (tag === 'pre') element.tabIndex = 0;
  return element;
};

/** Sends the request, and returns its result for the page. */
const send = async ({ method, url, headers, body }: Request): Promise<HTMLElement[]> => {
  try {
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }), cache: 'no-store', credentials: 'omit' });
    const told = [...response.headers].flatMap(([name, value]) => (telling.test(name) ? `${name}: ${value}` : []));
    return [
      shown('p', `${response.status} ${response.statusText}`, response.ok ? 'good' : 'failed'),
      shown('pre', told.join('\n')),
      shown('pre', pretty(await response.text()), 'body'),
    ];
  } catch {
    const isHere = url.startsWith(location.origin);
    const words = isHere
      ? 'The local service does not respond. Is it still running?'
      : `The browser received no response from ${url}. Check the address. A browser can call only endpoints that accept publishable keys. Copy all other requests as curl.`;
    return [shown('p', words, 'failed')];
  }
};

/** Fields that are copied to every form of the page. */
const shared = ['base', 'key'];

/** Enables a form. */
export const work = (box: HTMLElement) => {
  const form = box.querySelector('form');
  const answer = box.querySelector('.answer');
  const button = box.querySelector<HTMLButtonElement>('.send');
  const copy = box.querySelector<HTMLButtonElement>('.as-curl');
  if (!form || !answer || !button || !copy) return;
  const control = (place: string) => form.querySelector<Control>(`[data-in=${place}]`);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    answer.replaceChildren(...(await send(requestOf(form))));
    button.disabled = false;
    answer.scrollIntoView({ block: 'nearest' });
  });
  form.addEventListener('input', ({ target }) => {
    const { dataset, value } = target as Control;
    const place = dataset['in'] ?? '';
    const body = control('body');
    if (place === 'example' && body) body.value = value;
    if (shared.includes(place)) for (const other of document.querySelectorAll<Control>(`.try [data-in=${place}]`)) other.value = value;
  });
  for (const choice of form.querySelectorAll<HTMLButtonElement>('[data-key]'))
    choice.addEventListener('click', () => {
      const key = control('key');
      if (key) key.value = choice.dataset['key'] ?? '';
    });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(asCurl(requestOf(form)));
    answer.replaceChildren(shown('p', 'Copied.', 'good'));
  });
  form.querySelector('fieldset')?.removeAttribute('disabled');
};
