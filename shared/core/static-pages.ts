/** Types of the files that pages consist of, by the end of a name. */
const contentTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  png: 'image/png',
};

/** Returns the value of `Content-Type` for a file; undefined if the end of its name is unknown. */
export const contentTypeOf = (name: string): string | undefined => contentTypes[name.split('.').at(-1) ?? ''];

/**
 * Returns the content policy of a page. It allows the page's own files, requests to the sources, and
 * nothing else.
 */
export const contentPolicy = (...sources: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${["'self'", ...sources].join(' ')}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    // Images of the guides, and the empty icon of the Developers page.
    "img-src 'self' data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');

/** Headers of every page that no CloudFront policy names on its own. */
export const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;

/** Stands for the address of the docs in their files, until the deployment knows it. */
export const addressToReplace = 'https://docs.invalid';
