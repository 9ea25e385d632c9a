import type { Product } from '../../clients/typescript/src/index.ts';
import {
  aboutOf,
  allergensOf,
  categoriesOf,
  drawingOf,
  type Filter,
  headingOf,
  isMatch,
  moneyIn,
  pathOf,
  priceOf,
  productPath,
} from './page/shown.ts';
import type { Texts } from './page/texts/en.ts';
import { escaped } from './preview.ts';

/**
 * What a page shows before its script runs, and without scripts: the products, without the cart. The
 * script replaces it.
 */
export interface Content {
  readonly texts: Texts;
  /** Language of the page. */
  readonly lang: string;
}

const picture = (product: Product): string => `<img alt="" src="${escaped(product.images[0] ?? drawingOf(product))}">`;

const card = (product: Product, { texts, lang }: Content): string => `<li>
<a href="${escaped(productPath(product))}">${picture(product)}<h2>${escaped(product.name)}</h2></a>
<p class="about">${escaped(aboutOf(product))}</p>
<b>${escaped(priceOf(product, texts, moneyIn(lang)))}</b>
<div class="later"></div></li>`;

const introduction = ({ home }: Texts): string =>
  `<section class="intro"><div><h1>${escaped(home.heading)}</h1><p>${escaped(home.about)}</p><p class="first"></p></div><img alt="" src="/pictures/shelf.svg"></section>`;

const categoryLinks = (categories: readonly string[], chosen: string, { home }: Texts): string => {
  const links = ['', ...categories].map((category) => {
    const text = category === '' ? home.everything : headingOf(category);
    const current = category === chosen ? ' aria-current="page"' : '';
    return `<a href="${escaped(pathOf({ query: '', category }))}"${current}>${escaped(text)}</a>`;
  });
  return `<nav class="categories" aria-label="${escaped(home.categories)}">${links.join('')}</nav>`;
};

/** Returns the products that the page's address chooses, as the page of products shows them. */
export const productList = (products: readonly Product[], filter: Filter, content: Content): string => {
  const { query, category } = filter;
  const { home } = content.texts;
  const matches = products.filter((product) => isMatch(product, filter));
  const categories = categoriesOf(products);
  const heading = query ? home.results(query) : headingOf(category);
  return [
    ...(query || category ? [] : [introduction(content.texts)]),
    ...(query || categories.length < 2 ? [] : [categoryLinks(categories, category, content.texts)]),
    ...(query || category
      ? [`<div class="results"><h1>${escaped(heading)}</h1><p class="soft">${escaped(home.products(matches.length))}</p></div>`]
      : []),
    `<ul class="products">${matches.map((product) => card(product, content)).join('\n')}</ul>`,
  ].join('\n');
};

/** Returns one product, as its page shows it. */
export const productDetails = (product: Product, { texts, lang }: Content): string =>
  `<a class="back" href="/">← ${escaped(texts.product.all)}</a>
<div class="product">${picture(product)}<div><h1>${escaped(product.name)}</h1>
<p class="price">${escaped(priceOf(product, texts, moneyIn(lang)))}</p>
<p class="description">${escaped(product.description ?? '')}</p>
<dl><dt>${escaped(texts.product.allergens)}</dt><dd>${escaped(allergensOf(product, texts))}</dd></dl></div></div>`;
