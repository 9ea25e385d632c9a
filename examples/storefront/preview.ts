import { createClient, type Product } from '../../clients/typescript/src/index.ts';
import type { Texts } from './page/texts/en.ts';

/** Escapes text for HTML, because a bakery's text may contain markup. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What a tab, a search engine or a shared link shows of a page. */
export interface Preview {
  readonly title: string;
  readonly description: string;
  readonly type: 'website' | 'product';
  /** Absolute URL. */
  readonly image: string;
}

/** Returns the part of the page's head that depends on the page. */
const headOf = (preview: Preview, shop: string, url: string): string => {
  const { title, description } = preview;
  return [
    `<title>${escaped(title === shop ? shop : `${title} – ${shop}`)}</title>`,
    `<meta name="description" content="${escaped(description)}">`,
    ...Object.entries({ ...preview, url, site_name: shop }).map(
      ([name, text]) => `<meta property="og:${name}" content="${escaped(text)}">`,
    ),
    '<meta name="twitter:card" content="summary_large_image">',
  ].join('\n    ');
};

/** What the server fills into the page. */
export interface Filling {
  readonly lang: string;
  readonly texts: Texts;
  readonly shop: string;
  readonly preview: Preview;
  readonly url: string;
  /** HTML that the page shows before its script runs. Undefined if it says only that the shop opens. */
  readonly content: string | undefined;
}

/** Fills texts into a page that names them as `{{name}}`. */
export const fillPage = (page: string, { lang, texts, shop, preview, url, content }: Filling): string => {
  const values: Readonly<Record<string, string>> = { ...texts.page, lang, name: shop };
  const opening = `<div role="status" id="opening"><h1>${escaped(texts.page.opening)}</h1></div>`;
  const markup: Readonly<Record<string, string>> = { head: headOf(preview, shop, url), content: content ?? opening };
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => markup[name] ?? escaped(values[name] ?? ''));
};

const minuteMs = 60_000;

/**
 * Returns a reader of the products by id. It lists them at most once a minute, because the server
 * shares the limit of its own address. Null if the service does not respond.
 */
export const productsReader = (options: { readonly baseUrl: string; readonly apiKey: string }) => {
  // A page waits for its content.
  const client = createClient({ ...options, maxRetries: 0, timeoutMs: 3000 });
  const list = async () => {
    const products = new Map<string, Product>();
    for await (const product of client.products.listAll()) products.set(product.id, product);
    return products;
  };
  let read: Promise<Map<string, Product> | null> | undefined;
  let until = 0;
  return (): Promise<ReadonlyMap<string, Product> | null> => {
    if (!read || Date.now() >= until) {
      until = Date.now() + minuteMs;
      read = list().catch(() => null);
    }
    return read;
  };
};
