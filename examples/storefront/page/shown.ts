import type { Product } from '../../../clients/typescript/src/index.ts';
import type { Texts } from './texts/en.ts';

/** What the browser and the server show of a product, without an element of a page. */

/** What a picture of a product needs. */
export type Pictured = Pick<Product, 'name' | 'images' | 'category'>;

/** Drawings of products, by their names in lower case, and of categories for the others. */
const drawings = new Map(
  Object.entries({
    'country rye': 'rye',
    landroggen: 'rye',
    baguette: 'baguette',
    'cinnamon roll': 'cinnamon-roll',
    zimtschnecke: 'cinnamon-roll',
    'lemon tart': 'lemon-tart',
    zitronentarte: 'lemon-tart',
    'chocolate cake': 'chocolate-cake',
    schokoladentorte: 'chocolate-cake',
    bread: 'bread',
    brot: 'bread',
    pastries: 'pastries',
    gebäck: 'pastries',
    cakes: 'cakes',
    kuchen: 'cakes',
  }),
);

/** Returns the path of the drawing of the product or of its category. */
export const drawingOf = ({ name, category }: Pick<Pictured, 'name' | 'category'>): string =>
  `/pictures/${drawings.get(name.toLowerCase()) ?? drawings.get((category ?? '').toLowerCase()) ?? 'other'}.svg`;

export const productPath = ({ id }: Pick<Product, 'id'>): string => `/product?id=${id}`;

/** Returns a formatter of amounts in the language of a browser's tag. */
export const moneyIn =
  (tag: string) =>
  (amount: number, currency: string): string =>
    new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(amount);

/** Returns the price, or the lowest price of the sizes, for example `From $18.00`. */
export const priceOf = ({ price, currency, variants }: Product, texts: Texts, money: ReturnType<typeof moneyIn>): string =>
  variants.length > 0 ? texts.home.from(money(Math.min(...variants.map((variant) => variant.price)), currency)) : money(price, currency);

/** Returns the first sentence of the description. */
export const aboutOf = ({ description }: Product): string => /^.*?\.(?=\s|$)/.exec(description ?? '')?.[0] ?? description ?? '';

/** Returns the sentences about allergens, or that none are stated. */
export const allergensOf = ({ allergens }: Product, { product }: Texts): string => {
  const sentence = (text: (names: string) => string, level: string): string[] => {
    const names = allergens.filter((allergen) => allergen.level === level).map(({ name }) => name);
    return names.length > 0 ? [text(names.join(', '))] : [];
  };
  return [...sentence(product.contains, 'contains'), ...sentence(product.mayContain, 'may_contain')].join(' ') || product.noAllergens;
};

/** Returns the categories of the products in the order of the alphabet. */
export const categoriesOf = (products: readonly Product[]): readonly string[] =>
  [...new Set(products.flatMap(({ category }) => category ?? []))].sort((one, other) => one.localeCompare(other));

/** Returns a category as a heading: a bakery may write it in lower case. */
export const headingOf = (category: string): string => category.charAt(0).toUpperCase() + category.slice(1);

/** What the address of the page chooses. */
export interface Filter {
  readonly query: string;
  /** Empty for all categories. */
  readonly category: string;
}

export const filterOf = (parameters: URLSearchParams): Filter => {
  return { query: (parameters.get('q') ?? '').trim(), category: parameters.get('category') ?? '' };
};

export const pathOf = ({ query, category }: Filter): string => {
  const parameters = new URLSearchParams({ ...(query ? { q: query } : {}), ...(category ? { category } : {}) });
  return parameters.size > 0 ? `/?${parameters}` : '/';
};

/** Whether the product has the category and every word of the search. */
export const isMatch = ({ name, description, category, tags }: Product, filter: Filter): boolean => {
  const text = [name, description, category, ...tags].join(' ').toLowerCase();
  const words = filter.query.toLowerCase().split(/\s+/);
  return (!filter.category || category === filter.category) && words.every((word) => text.includes(word));
};
