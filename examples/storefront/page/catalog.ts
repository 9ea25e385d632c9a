import type { Product } from '../../../clients/typescript/src/index.ts';
import { client } from './client.ts';
import { amount, find, make, money, picture, productPath } from './elements.ts';

const priceText = ({ price, currency, variants }: Product): string =>
  variants.length > 0 ? `From ${money(Math.min(...variants.map((variant) => variant.price)), currency)}` : money(price, currency);

const card = (product: Product): HTMLElement => {
  const { id, name, variants } = product;
  const href = productPath(product);
  return make(
    'li',
    {},
    make('a', { href }, picture(product), make('h2', { textContent: name })),
    make('p', { textContent: priceText(product) }),
    variants.length > 0
      ? make('a', { href, className: 'button', textContent: 'Choose a size', ariaLabel: `Choose a size: ${name}` })
      : amount({ product_id: id }, name),
  );
};

const isMatch = ({ name, description, category, tags }: Product, query: string): boolean => {
  const text = [name, description, category, ...tags].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Shows the products that match the search field. */
export const catalog = async (main: HTMLElement): Promise<void> => {
  const products: Product[] = [];
  for await (const product of client.products.listAll()) products.push(product);
  const cards = products.map((product) => ({ product, element: card(product) }));
  const list = make('ul', { className: 'products' }, ...cards.map(({ element }) => element));
  const none = make('p', { role: 'status', className: 'soft' });
  const search = find<HTMLInputElement>('[name=q]');
  const filter = () => {
    for (const { product, element } of cards) element.hidden = !isMatch(product, search.value.trim());
    none.textContent = cards.every(({ element }) => element.hidden) ? `Nothing matches “${search.value}”.` : '';
    history.replaceState(null, '', search.value ? `/?q=${encodeURIComponent(search.value)}` : '/');
  };
  search.addEventListener('input', filter);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  filter();
  main.replaceChildren(make('h1', { textContent: 'Baked today' }), none, list);
};
