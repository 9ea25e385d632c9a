import { createClient, type Product } from '../../clients/typescript/src/index.ts';
import type { Texts } from './page/texts/en.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What a tab, a search engine or a shared link shows of a page. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  readonly isProduct?: boolean;
  /** Absolute URL. */
  readonly image: string;
}

/** Returns the part of the page's head that depends on the page. */
const headOf = ({ title, description, isProduct = false, image }: Preview, shop: string, url: string): string => {
  const properties = { title, description, url, image, type: isProduct ? 'product' : 'website', site_name: shop };
  return [
    `<title>${escaped(title === shop ? shop : `${title} – ${shop}`)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    ...Object.entries(properties).map(([name, content]) => `<meta property="og:${name}" content="${escaped(content)}">`),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
};

/** Fills texts into a page that names them as `{{name}}`. */
export const fillPage = (page: string, lang: string, texts: Texts, shop: string, preview: Preview, url: string): string => {
  const values: Readonly<Record<string, string>> = { ...texts.page, lang, name: shop };
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => (name === 'head' ? headOf(preview, shop, url) : escaped(values[name] ?? '')));
};

const minuteMs = 60_000;

/**
 * Returns a reader of products for previews. It lists them at most once a minute, because the server
 * shares the limit of its own address. The product is undefined if the bakery does not sell it, and
 * null if the service does not respond.
 */
export const productReader = (options: { readonly baseUrl: string; readonly apiKey: string }) => {
  const client = createClient({ ...options, maxRetries: 0 });
  const list = async () => {
    const products = new Map<string, Product>();
    for await (const product of client.products.listAll()) products.set(product.id, product);
    return products;
  };
  let read: Promise<Map<string, Product> | null> | undefined;
  let until = 0;
  return async (id: string): Promise<Product | undefined | null> => {
    if (!read || Date.now() >= until) {
      until = Date.now() + minuteMs;
      read = list().catch(() => null);
    }
    const products = await read;
    return products ? products.get(id) : null;
  };
};
