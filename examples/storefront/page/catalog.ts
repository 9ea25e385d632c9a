import type { Product } from '../../../clients/typescript/src/index.ts';
import { client, readOnce } from './client.ts';
import { amount, emptyState, find, make, money, picture, productPath, texts } from './elements.ts';
import { firstDay } from './when.ts';

const priceText = ({ price, currency, variants }: Product): string =>
  variants.length > 0 ? texts.home.from(money(Math.min(...variants.map((variant) => variant.price)), currency)) : money(price, currency);

const card = (product: Product): HTMLElement => {
  const { id, name, description, variants } = product;
  const href = productPath(product);
  return make(
    'li',
    {},
    make('a', { href }, picture(product), make('h2', { textContent: name })),
    make('p', { className: 'about', textContent: /^.*?\.(?=\s|$)/.exec(description ?? '')?.[0] ?? description ?? '' }),
    make('b', { textContent: priceText(product) }),
    variants.length > 0
      ? make('a', { href, className: 'button', textContent: texts.home.chooseSize, ariaLabel: `${texts.home.chooseSize}: ${name}` })
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

const readProducts = async (): Promise<readonly Product[]> => {
  const products: Product[] = [];
  for await (const product of client.products.listAll()) products.push(product);
  return products;
};

/** Shows the products that match the search field. */
export const catalog = async (main: HTMLElement): Promise<void> => {
  const products = await readOnce('products', readProducts);
  const cards = products.map((product) => ({ product, element: card(product) }));
  const list = make('ul', { className: 'products' }, ...cards.map(({ element }) => element));
  const intro = make(
    'section',
    { className: 'intro' },
    make(
      'div',
      {},
      make('h1', { textContent: texts.home.heading }),
      make('p', { textContent: texts.home.about }),
      make('p', { textContent: await firstDay() }),
    ),
    make('img', { alt: '', src: '/pictures/shelf.svg' }),
  );
  const found = make('h1', {});
  const count = make('p', { role: 'status', className: 'soft' });
  const results = make('div', { className: 'results' }, found, count, make('a', { href: '/', textContent: texts.home.all }));
  const nothing = make('div', { role: 'status' });
  const search = find<HTMLInputElement>('[name=q]');
  const filter = () => {
    const query = search.value.trim();
    for (const { product, element } of cards) element.hidden = !isMatch(product, query);
    const matches = cards.filter(({ element }) => !element.hidden).length;
    intro.hidden = query !== '';
    results.hidden = query === '' || matches === 0;
    found.textContent = texts.home.results(query);
    count.textContent = texts.home.products(matches);
    nothing.replaceChildren(...(matches === 0 ? [emptyState(texts.home.nothing(query), texts.home.another, texts.home.all)] : []));
    history.replaceState(null, '', query ? `/?q=${encodeURIComponent(query)}` : '/');
  };
  search.addEventListener('input', filter);
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  filter();
  main.replaceChildren(intro, results, nothing, list);
};
