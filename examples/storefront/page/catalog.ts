import type { Product } from '../../../clients/typescript/src/index.ts';
import { client, readOnce } from './client.ts';
import { amount, emptyState, find, make, money, picture, texts } from './elements.ts';
import { aboutOf, categoriesOf, type Filter, filterOf, headingOf, isMatch, pathOf, priceOf, productPath } from './shown.ts';
import { firstDay } from './when.ts';

/** Returns a product of a list, with a button that adds it to the cart. */
export const card = (product: Product): HTMLElement => {
  const { id, name, variants } = product;
  const href = productPath(product);
  return make(
    'li',
    {},
    make('a', { href }, picture(product), make('h2', { textContent: name })),
    make('p', { className: 'about', textContent: aboutOf(product) }),
    make('b', { textContent: priceOf(product, texts, money) }),
    variants.length > 0
      ? make('a', { href, className: 'button', textContent: texts.home.chooseSize, ariaLabel: `${texts.home.chooseSize}: ${name}` })
      : amount({ product_id: id }, name),
  );
};

export const readProducts = (): Promise<readonly Product[]> =>
  readOnce('products', async () => {
    const products: Product[] = [];
    for await (const product of client.products.listAll()) products.push(product);
    return products;
  });

const introduction = async (): Promise<HTMLElement> =>
  make(
    'section',
    { className: 'intro' },
    make(
      'div',
      {},
      make('h1', { textContent: texts.home.heading }),
      make('p', { textContent: texts.home.about }),
      make('p', { className: 'first', textContent: await firstDay() }),
    ),
    make('img', { alt: '', src: '/pictures/shelf.svg' }),
  );

/** Returns links to the categories, and to all products. */
const categoryLinks = (products: readonly Product[], choose: (category: string) => void) =>
  ['', ...categoriesOf(products)].map((category) => {
    const link = make('a', {
      href: pathOf({ query: '', category }),
      textContent: category === '' ? texts.home.everything : headingOf(category),
    });
    link.addEventListener('click', (event) => {
      // A click for a new tab opens one.
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      choose(category);
    });
    return { category, link };
  });

/** Shows the products of the category that match the search field. */
export const catalog = async (main: HTMLElement): Promise<void> => {
  const products = await readProducts();
  const cards = products.map((product) => ({ product, element: card(product) }));
  const list = make('ul', { className: 'products' }, ...cards.map(({ element }) => element));
  const intro = await introduction();
  const found = make('h1', {});
  const count = make('p', { role: 'status', className: 'soft' });
  const all = make('a', { href: '/', textContent: texts.home.all });
  const results = make('div', { className: 'results' }, found, count, all);
  const nothing = make('div', { role: 'status' });
  const search = find<HTMLInputElement>('[name=q]');
  const show = (filter: Filter) => {
    for (const { product, element } of cards) element.hidden = !isMatch(product, filter);
    const matches = cards.filter(({ element }) => !element.hidden).length;
    const { query, category } = filter;
    intro.hidden = query !== '' || category !== '';
    results.hidden = !intro.hidden || matches === 0;
    nav.hidden = links.length < 3 || query !== '';
    for (const one of links) one.link.ariaCurrent = one.category === category ? 'page' : null;
    all.hidden = query === '';
    found.textContent = query ? texts.home.results(query) : headingOf(category);
    count.textContent = texts.home.products(matches);
    nothing.replaceChildren(
      ...(matches === 0 ? [emptyState(texts.home.nothing(query || category), texts.home.another, texts.home.all)] : []),
    );
  };
  const links = categoryLinks(products, (category) => {
    search.value = '';
    history.pushState(null, '', pathOf({ query: '', category }));
    show({ query: '', category });
  });
  const nav = make('nav', { className: 'categories', ariaLabel: texts.home.categories }, ...links.map(({ link }) => link));
  search.addEventListener('input', () => {
    // A search is one in all categories.
    const filter = { query: search.value.trim(), category: '' };
    history.replaceState(null, '', pathOf(filter));
    show(filter);
  });
  search.form?.addEventListener('submit', (event) => event.preventDefault());
  addEventListener('popstate', () => {
    search.value = filterOf(new URLSearchParams(location.search)).query;
    show(filterOf(new URLSearchParams(location.search)));
  });
  show(filterOf(new URLSearchParams(location.search)));
  main.replaceChildren(intro, nav, results, nothing, list);
};
