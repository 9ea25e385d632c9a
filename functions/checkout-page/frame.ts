import { type Html, html, trusted } from '../../shared/core/html.ts';
import { type Random, randomText } from '../../shared/core/random.ts';
import type { Response } from '../../shared/http/responses.ts';
import type { Brand } from './brand.ts';
import { style } from './style.ts';

/**
 * Disables the buttons of a submitted form, reloads a page that the browser restores from its
 * memory, and copies test card numbers. The page also works without scripts, because the server
 * makes sure that two clicks pay once.
 */
const script = `
addEventListener('submit',e=>{const b=e.submitter;setTimeout(()=>{for(const x of e.target.querySelectorAll('button'))x.disabled=true;if(b&&b.dataset.busy)b.textContent=b.dataset.busy})});
addEventListener('pageshow',e=>{if(e.persisted)location.reload()});
for(const b of document.querySelectorAll('[data-copy]')){b.hidden=false;b.addEventListener('click',async()=>{await navigator.clipboard.writeText(b.dataset.copy).catch(()=>{});b.textContent='Copied'})}
for(const b of document.querySelectorAll('[data-back]')){b.hidden=false;b.addEventListener('click',()=>history.back())}
`;

export interface Page {
  readonly title: string;
  /** Undefined if the page concerns no shop. */
  readonly brand?: Brand;
  /** URL of the shop, to which the header links. */
  readonly shopUrl?: string;
  readonly main: Html;
  /** Whether `main` shows a summary in a second column. */
  readonly hasSummary?: boolean;
  readonly status?: number;
  /** Address to which the page's forms may redirect. Undefined if the page has no forms. */
  readonly formsLeadTo?: string;
  /** Seconds after which the page reloads. */
  readonly refreshSeconds?: number;
}

/**
 * Returns the value of `form-action`. Browsers apply it to redirects after a form too, and a shop
 * may redirect its shoppers to other sites, so every HTTPS page is allowed. A plain HTTP address
 * belongs to a shop on a developer's machine, which only the local service accepts as a return URL.
 * Only its origin is allowed.
 */
const formAction = (formsLeadTo: string | undefined): string => {
  if (formsLeadTo === undefined) return "'none'";
  const { protocol, origin } = new URL(formsLeadTo);
  return `'self' https:${protocol === 'http:' ? ` ${origin}` : ''}`;
};

const securityHeaders = (nonce: string, formsLeadTo: string | undefined): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // Allows pictures of products and the logo; `data:` is the empty icon. The `no-referrer` policy
    // keeps the page's address out of these requests.
    'img-src data: https:',
    `form-action ${formAction(formsLeadTo)}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Strict-Transport-Security': 'max-age=31536000',
  'Cache-Control': 'no-store',
});

/** Returns styles that use the shop's accent in each color scheme in which it is readable. */
const accentStyle = ({ light, dark }: Brand['accent']): string =>
  light || dark ? `:root{--accent:light-dark(${light ?? '#8a3b12'},${dark ?? '#f0a070'})}` : '';

/** Returns the response with the complete HTML document. */
export const respond = (
  random: Random,
  { title, brand, shopUrl, main, hasSummary = false, status = 200, formsLeadTo, refreshSeconds }: Page,
): Response => {
  const nonce = randomText(random, 18);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}${brand ? ` – ${brand.name}` : ''}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${trusted(style + (brand ? accentStyle(brand.accent) : ''))}</style>
</head>
<body>
${brand && html`<header>${brand.logo && html`<span class="logo"><img src="${brand.logo}" alt=""></span>`}<p>${brand.name}</p>${shopUrl && html`<a href="${shopUrl}">Back to the shop</a>`}</header>`}
<main${hasSummary && html` class="columns"`}>${main}</main>
<script nonce="${nonce}">${trusted(script)}</script>
</body>
</html>`;
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...securityHeaders(nonce, formsLeadTo),
      ...(refreshSeconds === undefined ? {} : { Refresh: String(refreshSeconds) }),
    },
    body: document.markup,
  };
};

/** Redirects the browser with a GET. */
export const seeOther = (location: string): Response => ({
  statusCode: 303,
  headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: '',
});
