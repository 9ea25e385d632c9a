import type { SearchResult } from 'minisearch';
import { type Part, partsOf, readIndex, snippetOf } from '../search-index.ts';

const maxResults = 12;

const make = <Name extends keyof HTMLElementTagNameMap>(
  tag: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...content);
  return element;
};

const readOnce = () =>
  fetch(new URL('search.json', import.meta.url))
    .then((response) => response.text())
    .then(readIndex);
let index: ReturnType<typeof readOnce> | undefined;

const marked = (parts: readonly Part[]) => parts.map(({ text, isMatch }) => (isMatch ? make('mark', {}, text) : text));

/** A row of the results: title, page, and the text around the match. */
const rowOf = ({ id, title, page, text, terms }: SearchResult, rowId: string): HTMLElement =>
  make(
    'li',
    { role: 'option', id: rowId, 'data-href': new URL(`./${id}`, import.meta.url).href },
    make('span', { class: 'title' }, ...marked(partsOf(title, terms))),
    make('span', { class: 'page' }, title === page ? 'Guide' : page),
    make('span', { class: 'snippet' }, ...marked(snippetOf(text, terms))),
  );

/**
 * Makes a field and its list of results: arrow keys choose a result, Enter opens it. `name` starts
 * the ids, because a page may have two.
 */
const finder = (name: string, opened: () => void) => {
  const field = make('input', {
    role: 'combobox',
    placeholder: 'Search the docs',
    'aria-label': 'Search guides, operations and events',
    'aria-expanded': 'false',
    'aria-controls': name,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = make('ul', { id: name, role: 'listbox', 'aria-label': 'Results' });
  const status = make('p', { role: 'status' });

  const options = () => [...list.children] as HTMLElement[];
  const choose = (next: number) => {
    const all = options();
    const chosen = all.at(next % Math.max(all.length, 1));
    for (const one of all) one.setAttribute('aria-selected', String(one === chosen));
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id);
    else field.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  };
  field.addEventListener('input', async () => {
    index ??= readOnce();
    const read = await index;
    const words = field.value.trim();
    const found = words ? read.search(words).slice(0, maxResults) : [];
    list.replaceChildren(...found.map((one, i) => rowOf(one, `${name}-${i}`)));
    field.setAttribute('aria-expanded', String(found.length > 0));
    status.textContent = words && found.length === 0 ? `No results for “${words}”. Try fewer or other words.` : '';
    choose(0);
  });
  const go = (row: Element | null | undefined) => {
    if (!(row instanceof HTMLElement)) return;
    opened();
    location.assign(row.dataset['href'] ?? '');
  };
  list.addEventListener('click', ({ target }) => go((target as Element).closest('li')));
  field.addEventListener('keydown', (event) => {
    const at = options().findIndex((one) => one.getAttribute('aria-selected') === 'true');
    if (event.key === 'ArrowDown') choose(at + 1);
    else if (event.key === 'ArrowUp') choose(at - 1);
    else if (event.key === 'Enter') go(options()[at]);
    else return;
    event.preventDefault();
  });
  return { field, list, status };
};

/** Shows a field inside the page. */
export const searchIn = (container: HTMLElement) => {
  const { field, list, status } = finder('found-here', () => {});
  container.append(make('div', { class: 'ask' }, field), list, status);
  container.hidden = false;
};

const hint = (keys: readonly string[], text: string) => make('span', {}, ...keys.map((key) => make('kbd', {}, key)), ` ${text}`);

const makeDialog = () => {
  const { field, list, status } = finder('found', () => dialog.close());
  const close = make('button', { type: 'button' }, 'Close');
  const keys = make('p', { class: 'keys' }, hint(['↑', '↓'], 'to choose'), hint(['Enter'], 'to open'), hint(['Esc'], 'to close'));
  const dialog = make(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    make('div', { class: 'ask' }, field, close),
    list,
    status,
    keys,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  return { dialog, field };
};
let made: ReturnType<typeof makeDialog> | undefined;

/** Opens the dialog. Escape closes it. */
export const open = () => {
  made ??= makeDialog();
  if (!made.dialog.open) made.dialog.showModal();
  made.field.select();
};
