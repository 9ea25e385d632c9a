import { readIndex } from '../search-index.ts';

const most = 12;

const make = <Name extends keyof HTMLElementTagNameMap>(tag: Name, attributes: Record<string, string>): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

/** The search dialog: arrow keys choose a result, Enter opens it, Escape closes the dialog. */
const build = async () => {
  const index = fetch(new URL('search.json', import.meta.url))
    .then((response) => response.text())
    .then(readIndex);
  const dialog = make('dialog', { class: 'search', 'aria-label': 'Search' });
  const field = make('input', {
    role: 'combobox',
    placeholder: 'Guides, operations, events',
    'aria-label': 'Search guides, operations and events',
    'aria-expanded': 'false',
    'aria-controls': 'found',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = make('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' });
  const status = make('p', { role: 'status' });
  dialog.append(field, list, status);
  document.body.append(dialog);

  const options = () => [...list.children] as HTMLElement[];
  const choose = (next: number) => {
    const all = options();
    const chosen = all.at(next % Math.max(all.length, 1));
    for (const one of all) one.setAttribute('aria-selected', String(one === chosen));
    if (chosen) field.setAttribute('aria-activedescendant', chosen.id);
    else field.removeAttribute('aria-activedescendant');
    chosen?.scrollIntoView({ block: 'nearest' });
  };
  const show = async () => {
    const found = field.value.trim() ? (await index).search(field.value).slice(0, most) : [];
    const rows = found.map(({ id, title, page }, i) => {
      const row = make('li', { role: 'option', id: `found-${i}`, 'data-href': new URL(`./${id}`, import.meta.url).href });
      const place = make('span', {});
      place.textContent = title === page ? '' : page;
      row.append(title, place);
      return row;
    });
    list.replaceChildren(...rows);
    field.setAttribute('aria-expanded', String(rows.length > 0));
    status.textContent = field.value.trim() && rows.length === 0 ? 'No results.' : '';
    choose(0);
  };
  field.addEventListener('input', show);
  const go = (row: Element | null | undefined) => {
    if (!(row instanceof HTMLElement)) return;
    dialog.close();
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
  return { dialog, field };
};

let built: ReturnType<typeof build> | undefined;

export const search = async () => {
  built ??= build();
  const { dialog, field } = await built;
  if (!dialog.open) dialog.showModal();
  field.select();
};
