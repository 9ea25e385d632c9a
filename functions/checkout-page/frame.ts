import { type Html, html, trusted } from '../../shared/core/html.ts';
import { type Random, randomText } from '../../shared/core/random.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Response } from '../../shared/http/responses.ts';

/** How the page presents the shop (decisions §5). */
export interface Brand {
  readonly name: string;
  /** HTTPS URL of a picture. */
  readonly logo: string | null;
  /** Accent for each color scheme in which it has enough contrast. */
  readonly accent: { readonly light: string | null; readonly dark: string | null };
}

/** Minimum contrast of text of normal size (WCAG 2.2, 1.4.3). */
const leastContrast = 4.5;
/** For each color scheme, the page background with the color nearest to an accent. */
const grounds = { light: '#f7f3ee', dark: '#231f1b' } as const;

const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Returns the contrast ratio of two colors `#rrggbb`, from 1 to 21. */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

export const brandOf = (accountName: string, { checkout }: Settings): Brand => {
  const { name, logo, accent } = checkout?.branding ?? {};
  const readable = (scheme: keyof typeof grounds) => (accent && contrast(accent, grounds[scheme]) >= leastContrast ? accent : null);
  return { name: name || accountName, logo: logo ?? null, accent: { light: readable('light'), dark: readable('dark') } };
};

/**
 * The style sheet of the page. From 900 px width, the summary is a separate column that stays in
 * view; on a phone it folds to one line. A picture that fails to load has no width, because its
 * `alt` is empty and its width is not set. So it leaves no gap, even without a script. For the same
 * reason, the space beside a picture is not a margin: `clip-path` cuts it from the picture.
 */
export const style = `
:root{color-scheme:light dark;--ink:light-dark(#231f1c,#f2ece6);--soft:light-dark(#5c534c,#b7aca2);--line:light-dark(#ddd5cd,#3d3630);--edge:light-dark(#8b8178,#857a70);--paper:light-dark(#fff,#231f1b);--ground:light-dark(#f7f3ee,#191613);--accent:light-dark(#8a3b12,#f0a070);--on-accent:light-dark(#fff,#191613);--bad:light-dark(#9b1c1c,#ff9d94);--good:light-dark(#17663a,#7fd6a0);--busy:light-dark(#6e645c,#a3978c);--focus:light-dark(#1a5fb4,#8ab8ff)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header,main{max-width:34rem;margin:0 auto;padding:1rem}
header{display:flex;align-items:center;padding-bottom:0}
header p{margin:0 .75rem 0 0;font-weight:700;font-size:1.1rem;overflow-wrap:anywhere;min-width:0}
.logo,.picture{flex:none;line-height:0}
.logo img{height:3.25rem;max-width:11rem;margin:-.375rem 0;object-fit:contain;object-position:left;transform:scale(.77);transform-origin:left}
.picture img{height:4.25rem;max-width:4.25rem;margin:-.375rem 0;object-fit:cover;clip-path:inset(.375rem .75rem .375rem 0 round .4rem)}
header a{margin-left:auto;flex:none}
h1{font-size:1.5rem;margin:0 0 1rem;line-height:1.2}
h2{font-size:1.05rem;margin:1.25rem 0 .25rem}
section,form,aside{background:var(--paper);border:1px solid var(--line);border-radius:.75rem;padding:1rem;margin:0 0 1rem}
aside section{border:0;border-top:1px solid var(--line);border-radius:0;padding:1rem 0 0;margin:1rem 0 0;background:none}
section>:first-child,form>h2:first-of-type,.fold+h2{margin-top:0}
.fold+h2{display:none}
section>:last-child,aside>:last-child{margin-bottom:0}
ul.cart{list-style:none;margin:0;padding:0}
ul.cart li{display:flex;align-items:center;padding:.5rem 0}
ul.cart li+li{border-top:1px solid var(--line)}
ul.cart span{overflow-wrap:anywhere;min-width:0}
ul.cart .amount{margin-left:auto;padding-left:.75rem}
dl.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.3rem 0}
.amount,dd{flex:none;white-space:nowrap;font-variant-numeric:tabular-nums;margin:0}
dl.sums{margin:.25rem 0 0;padding-top:.25rem;border-top:1px solid var(--line)}
dl.sums .total{font-weight:700;font-size:1.15rem}
small,.hint{color:var(--soft);font-size:.9rem}
.fold summary{display:flex;gap:.5rem;align-items:center;cursor:pointer;list-style:none;font-weight:600}
.fold summary::-webkit-details-marker{display:none}
.fold summary::after{content:"";flex:none;width:.5rem;height:.5rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:rotate(45deg)}
.fold[open] summary::after{transform:rotate(225deg)}
.fold summary b{margin-left:auto;font-variant-numeric:tabular-nums}
.fold[open]{margin-bottom:.75rem}
.fold:not([open])~*{display:none}
label{display:block;font-weight:600;margin-top:.6rem}
label small{font-weight:400}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--paper);padding:.55rem .65rem;border:1px solid var(--edge);border-radius:.45rem;margin-top:.2rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:0 .75rem}
.pair>div{min-width:0}
[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.error{color:var(--bad);margin:.25rem 0 0;font-weight:600}
.alert{border-left:.35rem solid var(--bad)}
.alert ul{padding-left:1.2rem}
.done{border-left:.35rem solid var(--good)}
button,a.button{display:block;width:100%;font:inherit;font-weight:700;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:0;border-radius:.45rem;padding:.8rem;margin-top:1rem;cursor:pointer}
button.plain{background:var(--paper);color:var(--ink);border:1px solid var(--edge)}
button:disabled{background:var(--busy);color:var(--paper);cursor:progress}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{text-align:left;padding:.2rem .5rem .2rem 0;font-weight:400}
td:first-child{white-space:nowrap}
td:last-child{text-align:right;padding-right:0}
td button{display:inline-block;width:auto;margin:0;min-height:2.5rem;padding:0 .75rem;font-size:.9rem;font-weight:600}
.cards{margin-top:.75rem;color:var(--soft)}
.cards summary{cursor:pointer;padding:.5rem 0;font-size:.9rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.break{white-space:pre-line;overflow-wrap:anywhere}
@media (min-width:900px){
body{padding-top:1rem}
header,main.columns{max-width:62rem}
main.columns{display:grid;grid-template-columns:minmax(0,1fr) 22rem;gap:0 2rem;align-items:start}
main.columns>*{grid-column:1}
main.columns>aside{grid-column:2;grid-row:1/20;position:sticky;top:1rem}
aside .fold{display:none}
.fold+h2,.fold:not([open])~*{display:block}
}
`;

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
