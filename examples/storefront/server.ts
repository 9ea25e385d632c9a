import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { endWith, findBakery } from '../demo.ts';
import { stopped } from '../stopped.ts';

const { url: apiUrl, publishableKey, name, address: bakeryAddress } = await findBakery('publishableKey');
const here = (name: string): string => fileURLToPath(new URL(`page/${name}`, import.meta.url));
const bundle = async (): Promise<Uint8Array> => {
  const { outputFiles } = await build({ entryPoints: [here('shop.ts')], bundle: true, write: false, format: 'esm', target: 'es2022' });
  return outputFiles[0]?.contents ?? new Uint8Array();
};
const picture = async (name: string) => [`/pictures/${name}`, { type: 'image/svg+xml', bytes: await readFile(here(`pictures/${name}`)) }];

const shop = { type: 'text/html; charset=utf-8', bytes: await readFile(here('index.html')) };
/** Static files, which any web server can serve. */
const files: Readonly<Record<string, { type: string; bytes: Uint8Array }>> = {
  '/': shop,
  '/product': shop,
  '/cart': shop,
  '/thanks': shop,
  '/shop.css': { type: 'text/css; charset=utf-8', bytes: await readFile(here('shop.css')) },
  '/shop.js': { type: 'text/javascript; charset=utf-8', bytes: await bundle() },
  // A publishable key may be public. The secret key never leaves your server.
  '/config.json': {
    type: 'application/json',
    bytes: Buffer.from(JSON.stringify({ name, address: bakeryAddress, client: { baseUrl: apiUrl, apiKey: publishableKey } })),
  },
  ...Object.fromEntries(await Promise.all((await readdir(here('pictures'))).map(picture))),
};
const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self' ${new URL(apiUrl).origin}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;

const server = createServer((request, response) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
  const found = files[new URL(request.url ?? '/', 'http://shop').pathname];
  // The shop says that it has no such page.
  const file = found ?? shop;
  const headers = {
    'content-type': file.type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  };
  response.writeHead(found ? 200 : 404, headers).end(file.bytes);
}).listen(Number(process.env['PORT'] ?? 8090), '127.0.0.1');
await once(server, 'listening').catch(endWith);
const address = server.address();
console.log(`The shop is open: http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);

await stopped;
server.close();
server.closeAllConnections();
