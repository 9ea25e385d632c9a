import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { endWith, findBakery } from '../demo.ts';
import { stopped } from '../stopped.ts';
import { productDetails, productList } from './content.ts';
import { filterOf } from './page/shown.ts';
import { languageOf, textsIn } from './page/texts/all.ts';
import type { Texts } from './page/texts/en.ts';
import { fillPage, type Preview, productsReader } from './preview.ts';

const { url: apiUrl, publishableKey, name, address: bakeryAddress } = await findBakery('publishableKey');
const here = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url));
const bundle = async (): Promise<Uint8Array> => {
  const { outputFiles } = await build({ entryPoints: [here('shop.ts')], bundle: true, write: false, format: 'esm', target: 'es2022' });
  return outputFiles[0]?.contents ?? new Uint8Array();
};
const types: Readonly<Record<string, string>> = { svg: 'image/svg+xml', png: 'image/png' };
const picture = async (name: string) => [
  `/pictures/${name}`,
  { type: types[name.slice(-3)] ?? '', bytes: await readFile(here(`pictures/${name}`)) },
];

/** Static files, which any web server can serve. */
const files: Readonly<Record<string, { type: string; bytes: Uint8Array }>> = {
  '/shop.css': { type: 'text/css; charset=utf-8', bytes: await readFile(here('shop.css')) },
  '/shop.js': { type: 'text/javascript; charset=utf-8', bytes: await bundle() },
  // A publishable key may be public. The secret key never leaves your server.
  '/config.json': {
    type: 'application/json',
    bytes: Buffer.from(JSON.stringify({ name, address: bakeryAddress, client: { baseUrl: apiUrl, apiKey: publishableKey } })),
  },
  ...Object.fromEntries(await Promise.all((await readdir(here('pictures'))).map(picture))),
};

const page = await readFile(here('index.html'), 'utf8');
const readProducts = productsReader({ baseUrl: apiUrl, apiKey: publishableKey });

interface Served {
  readonly status: 200 | 404;
  readonly preview: Preview;
  /** HTML that the page shows before its script runs. */
  readonly content?: string;
}

/** Returns what the server says of a page. */
const serve = async ({ pathname, searchParams, origin }: URL, texts: Texts, lang: string): Promise<Served> => {
  const shop: Preview = { title: name, description: texts.home.about, type: 'website', image: `${origin}/pictures/shop.png` };
  const titles: Readonly<Record<string, string>> = { '/cart': texts.page.yourCart, '/thanks': texts.thanks.order };
  const title = titles[pathname];
  if (title !== undefined) return { preview: { ...shop, title }, status: 200 };
  if (pathname !== '/' && pathname !== '/product') return { preview: { ...shop, title: texts.notFound.heading }, status: 404 };
  const products = await readProducts();
  if (!products) return { preview: shop, status: 200 };
  if (pathname === '/')
    return { preview: shop, content: productList([...products.values()], filterOf(searchParams), { texts, lang }), status: 200 };
  const product = products.get(searchParams.get('id') ?? '');
  if (!product) return { preview: { ...shop, title: texts.errors.gone }, status: 404 };
  const { description, images } = product;
  const [image = shop.image] = images;
  return {
    preview: { title: product.name, description: description || shop.description, type: 'product', image },
    content: productDetails(product, { texts, lang }),
    status: 200,
  };
};

const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self' ${new URL(apiUrl).origin}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

/** Returns the file of a request, or the page in the language of its browser. */
const respond = async ({ url = '/', headers }: IncomingMessage) => {
  const target = URL.parse(url, `http://${headers.host ?? 'shop'}`) ?? new URL('http://shop/');
  const file = files[target.pathname];
  if (file) return { status: 200, headers: { 'content-type': file.type }, body: file.bytes };
  const lang = languageOf(headers['accept-language']);
  const texts = textsIn(lang);
  const { status, preview, content } = await serve(target, texts, lang);
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', vary: 'accept-language' },
    body: fillPage(page, { lang, texts, shop: name, preview, url: target.href, content }),
  };
};

const server = createServer(async (request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  const { status, headers, body } = await respond(request);
  const common = { 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'cache-control': 'no-cache' };
  response.writeHead(status, { ...headers, ...common }).end(body);
}).listen(Number(process.env['PORT'] ?? 8090), '127.0.0.1');
await once(server, 'listening').catch(endWith);
const address = server.address();
console.log(`The shop is open: http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);

await stopped;
server.close();
server.closeAllConnections();
