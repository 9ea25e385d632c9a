import { createClient, type Product } from '../../clients/typescript/src/index.ts';
import type { Texts } from './page/texts/en.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What a tab, a search engine or a shared link shows of a page. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  readonly type: 'website' | 'product';
  /** Absolute URL. */
  readonly image: string;
}

/** Fills texts into a page that names them as `{{name}}`; `{{head}}` is the preview. */
export const fillPage = (page: string, lang: string, texts: Texts, shop: string, preview: Preview, url: string): string => {
  const { title, description } = preview;
  const head = [
    `<title>${escaped(title === shop ? shop : `${title} – ${shop}`)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    ...Object.entries({ ...preview, url, site_name: shop }).map(
      ([name, text]) => `<meta property="og:${name}" content="${escaped(text)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
  const values: Readonly<Record<string, string>> = { ...texts.page, lang, name: shop };
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => (name === 'head' ? head : escaped(values[name] ?? '')));
};

const minuteMs = 60_000;

/**
 * Returns a reader of products for previews. It lists them at most once a minute, because the server
 * shares the limit of its own address. The product is undefined if the bakery does not sell it, and
 * null if the service does not respond.
 */
export const productReader = (options: { readonly baseUrl: string; readonly apiKey: string }) => {
  // A page waits for its preview.
  const client = createClient({ ...options, maxRetries: 0, timeoutMs: 3000 });
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
