import type { IncomingMessage } from 'node:http';

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/**
 * Settles which host a request is for, and writes it into the request, so that routing, guards and functions all read the same one.
 * Returns why the request is invalid, or undefined. A target in absolute form decides over the Host header (RFC 9112, 3.2.2); HTTP/1.0
 * needs no Host.
 */
export const settleAuthority = (request: IncomingMessage): string | undefined => {
  const { rawHeaders, httpVersion, url = '/' } = request;
  const names = rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const place = names.indexOf('host');
  if (place !== names.lastIndexOf('host')) return 'There are two Host headers; send one.';
  if (place < 0 && httpVersion !== '1.0') return 'The Host header is missing.';
  const [start = '', authority] = absoluteForm.exec(url) ?? [];
  if (authority === undefined) return undefined;
  if (authority === '' || authority.includes('@')) return 'The request target must name a host, without credentials.';
  const path = url.slice(start.length);
  request.url = path.startsWith('/') ? path : `/${path}`;
  request.headers.host = authority;
  if (place < 0) rawHeaders.push('Host', authority);
  else rawHeaders[2 * place + 1] = authority;
  return undefined;
};
