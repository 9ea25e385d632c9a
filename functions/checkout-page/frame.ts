import { type Html, html, trusted } from '../../shared/core/html.ts';
import { type Random, randomText } from '../../shared/core/random.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Response } from '../../shared/http/responses.ts';
import type { Locale } from './locale.ts';
import { script } from './script.ts';
import { style } from './style.ts';

/** How the page presents the shop (decisions §5). On a dark page, a dark accent is lighter. */
export interface Brand {
  readonly name: string;
  /** HTTPS URL of a picture. */
  readonly logo: string | null;
  /** Accent for each color scheme in which it has enough contrast. */
  readonly accent: { readonly light: string | null; readonly dark: string | null };
}

/** Minimum contrast of text of normal size (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;
/** For each color scheme, the page background with the color nearest to an accent. */
const backgrounds = { light: '#f7f3ee', dark: '#231f1b' } as const;

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(color)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of two colors `#rrggbb`, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

const channelsOf = (color: string): readonly number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/**
 * Returns the color, then lighter ones of its hue for a dark page: each is brighter and has more white.
 * A gray has none, because a lighter gray looks disabled.
 */
const tintsOf = (color: string): readonly string[] => {
  const channels = channelsOf(color);
  const brightest = Math.max(...channels);
  if (brightest - Math.min(...channels) < 24) return [color];
  const tint = (step: number) => {
    const bright = channels.map((channel) => channel * (1 + Math.min(step, 1) * (255 / brightest - 1)));
    return bright.map((channel) => Math.round(channel + (255 - channel) * 0.3 * step));
  };
  const hex = (channel: number) => channel.toString(16).padStart(2, '0');
  return [color, ...[0.2, 0.4, 0.6, 0.8, 1, 1.5, 2].map((step) => `#${tint(step).map(hex).join('')}`)];
};

export const brandOf = (accountName: string, { checkout }: Settings): Brand => {
  const { name, logo, accent } = checkout?.branding ?? {};
  const isReadable = (color: string, scheme: keyof typeof backgrounds) => contrast(color, backgrounds[scheme]) >= minContrast;
  const light = accent && isReadable(accent, 'light') ? accent : null;
  const dark = accent ? tintsOf(accent).find((tint) => isReadable(tint, 'dark')) : undefined;
  return { name: name || accountName, logo: logo ?? null, accent: { light, dark: dark ?? null } };
};

export interface Page {
  readonly title: string;
  /** Undefined if the page concerns no shop. */
  readonly brand?: Brand;
  /** URL of the shop, to which the header links. */
  readonly shopUrl?: string;
  readonly main: Html;
  readonly status?: number;
  /** Address to which the page's forms may redirect. Undefined if the page has no forms. */
  readonly formsLeadTo?: string;
  /** Seconds after which a browser without scripts loads a URL. */
  readonly refresh?: `${number}; url=${string}`;
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

const securityHeaders = (nonce: string, formsLeadTo: string | undefined, isWaiting: boolean): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // Allows the program to look for the result of a payment.
    ...(isWaiting ? ["connect-src 'self'"] : []),
    // Allows pictures of products and the logo; `data:` is the tab's icon. The `no-referrer` policy
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

/**
 * Returns styles with the shop's accent. In a color scheme in which it is not readable, buttons have
 * the color of text, because the page's own accent would not match the shop's.
 */
const accentStyle = ({ light, dark }: Brand['accent']): string =>
  light || dark ? `:root{--accent:light-dark(${light ?? '#231f1c'},${dark ?? '#f2ece6'})}` : '';

/** Returns a picture of the shop's first letter on its accent, because a logo may be too wide for a tab. */
const tabIcon = (brand: Brand | undefined): string => {
  const letter = [...(brand?.name.trim() ?? '')][0]?.toUpperCase() ?? '';
  const { markup } =
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${brand?.accent.light ?? '#8a3b12'}"/><text x="16" y="23" text-anchor="middle" font-family="system-ui,sans-serif" font-size="20" font-weight="700" fill="#fff">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(markup)}`;
};

/** Returns the response with the complete HTML document. */
export const respond = (
  random: Random,
  { lang, texts }: Locale,
  { title, brand, shopUrl, main, status = 200, formsLeadTo, refresh }: Page,
): Response => {
  const nonce = randomText(random, 18);
  const document = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}"></noscript>`}
<title>${title}${brand ? ` – ${brand.name}` : ''}</title>
<link rel="icon" href="${tabIcon(brand)}">
<style nonce="${nonce}">${trusted(`${style}:root{--shop:"${texts.shop}"}${brand ? accentStyle(brand.accent) : ''}`)}</style>
</head>
<body>
${brand && html`<header>${brand.logo && html`<span class="logo"><img src="${brand.logo}" alt=""></span>`}<p>${brand.name}</p>${shopUrl && html`<a href="${shopUrl}">${texts.backToShop}</a>`}</header>`}
<main>${main}</main>
<script nonce="${nonce}">${trusted(script)}</script>
</body>
</html>`;
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...securityHeaders(nonce, formsLeadTo, refresh !== undefined),
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
