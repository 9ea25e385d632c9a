import type { IncomingMessage, ServerResponse } from 'node:http';
import { isFromHere } from './guard.ts';
import { refusal, replyJson } from './replies.ts';

/** Headers of every local page. The policy allows the page's own files and nothing else. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // Images of the guides, and the empty icon of the Developers page.
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  png: 'image/png',
};

/**
 * Sends a file with the type of its name. Without a file, sends 404 with the page `missing`, if
 * there is one.
 */
export const replyFile = (response: ServerResponse, name: string, bytes: Buffer | undefined, missing?: Buffer): void => {
  const sent = bytes ?? missing;
  if (!sent) {
    replyJson(response, 404, { error: { type: 'not_found', code: 'not_found', message: 'No such path.' } }, pageHeaders);
    return;
  }
  const type = types[bytes ? (name.split('.').at(-1) ?? '') : 'html'] ?? 'application/octet-stream';
  response.writeHead(bytes ? 200 : 404, { ...pageHeaders, 'content-type': type, 'content-length': sent.length }).end(sent);
};

/** Whether a page may be sent: to a GET or HEAD from this machine. Otherwise sends the error. */
export const mayVisit = (request: IncomingMessage, response: ServerResponse): boolean => {
  request.resume();
  if (!isFromHere(request)) {
    replyJson(response, 403, refusal('This page is for the machine that it runs on.'), pageHeaders);
    return false;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    replyJson(response, 405, refusal('Only GET.'), { ...pageHeaders, allow: 'GET, HEAD' });
    return false;
  }
  return true;
};

/** Redirects `/page` to `/page/`, because the page's links are relative. */
export const replySlash = (response: ServerResponse, path: string): void =>
  void response.writeHead(308, { ...pageHeaders, location: `${path}/` }).end();

/** Redirects a browser from the root to the docs. Other clients get the API's response. */
export const leadsToDocs = (request: IncomingMessage, response: ServerResponse): boolean => {
  const isBrowser = request.method === 'GET' && request.url === '/' && /\btext\/html\b/.test(request.headers.accept ?? '');
  if (isBrowser) response.writeHead(302, { location: '/docs/', 'cache-control': 'no-store', vary: 'Accept' }).end();
  return isBrowser;
};
