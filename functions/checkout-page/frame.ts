import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Html, html, trusted } from '../../shared/core/html.ts';
import { type Random, randomText } from '../../shared/core/random.ts';

const style = `
:root{color-scheme:light dark;--ink:light-dark(#231f1c,#f2ece6);--soft:light-dark(#5c534c,#b7aca2);--line:light-dark(#ddd5cd,#3d3630);--edge:light-dark(#8b8178,#857a70);--paper:light-dark(#fff,#231f1b);--ground:light-dark(#f7f3ee,#191613);--accent:light-dark(#8a3b12,#f0a070);--on-accent:light-dark(#fff,#2a1204);--bad:light-dark(#9b1c1c,#ff9d94);--busy:light-dark(#6e645c,#a3978c);--focus:light-dark(#1a5fb4,#8ab8ff)}
*{box-sizing:border-box}
ul.hint,.alert ul{padding-left:1.2rem}
body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
header,main,footer{max-width:34rem;margin:0 auto;padding:1rem}
header p{margin:0;font-weight:600}
h1{font-size:1.5rem;margin:0 0 1rem;line-height:1.2}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
section,form{background:var(--paper);border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:0 0 1rem}
section>:first-child,form>h2:first-of-type{margin-top:0}
section>:last-child{margin-bottom:0}
ul.cart{list-style:none;margin:0;padding:0}
ul.cart li,dl.sums div{display:flex;justify-content:space-between;gap:1rem;padding:.4rem 0}
ul.cart li+li{border-top:1px solid var(--line)}
ul.cart span,dt{overflow-wrap:anywhere;min-width:0}
.amount,dd{flex:none;white-space:nowrap;font-variant-numeric:tabular-nums;margin:0}
dl.sums{margin:0;border-top:1px solid var(--line)}
dl.sums .total{font-weight:700;font-size:1.1rem;border-top:1px solid var(--line)}
small,.hint{color:var(--soft);font-size:.9rem}
label{display:block;font-weight:600;margin-top:.75rem}
input,textarea{width:100%;font:inherit;color:inherit;background:var(--paper);padding:.6rem;border:1px solid var(--edge);border-radius:.35rem;margin-top:.25rem}
[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.error{color:var(--bad);margin:.25rem 0 0;font-weight:600}
.alert{border-left:.35rem solid var(--bad)}
button,a.button{display:block;width:100%;font:inherit;font-weight:700;text-align:center;text-decoration:none;color:var(--on-accent);background:var(--accent);border:0;border-radius:.35rem;padding:.8rem;margin-top:1rem;cursor:pointer}
button.plain{background:var(--paper);color:var(--ink);border:1px solid var(--edge)}
button:disabled{background:var(--busy);cursor:progress}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.break{white-space:pre-line;overflow-wrap:anywhere}
`;

/** One click is enough; without it the server sees to that. A page that comes back from the browser's memory can be used again. */
const script = `
addEventListener('submit',e=>{const b=e.submitter;setTimeout(()=>{for(const x of e.target.querySelectorAll('button'))x.disabled=true;if(b&&b.dataset.busy)b.textContent=b.dataset.busy})});
addEventListener('pageshow',e=>{if(e.persisted)location.reload()});
`;

export interface Page {
  readonly title: string;
  /** The bakery's name; the page has none where it is not known. */
  readonly shop?: string;
  readonly main: Html;
  readonly status?: number;
  /** Where the page's forms may end up, in the shop; the page has none where there is no such place. */
  readonly formsLeadTo?: string;
  /** Asks again after so many seconds. */
  readonly refreshSeconds?: number;
}

/**
 * Browsers hold redirects after a form to form-action as well, and shops may send their shoppers on: any HTTPS page is allowed. One on plain
 * HTTP is the shop of a developer's own machine, which only the local runtime takes for a return URL; its origin alone is allowed.
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
    // The empty icon.
    'img-src data:',
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

/** A whole document. */
export const respond = (
  random: Random,
  { title, shop, main, status = 200, formsLeadTo, refreshSeconds }: Page,
): APIGatewayProxyStructuredResultV2 => {
  const nonce = randomText(random, 18);
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}${shop ? ` – ${shop}` : ''}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${trusted(style)}</style>
</head>
<body>
${shop && html`<header><p>${shop}</p></header>`}
<main>${main}</main>
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

/** Sends the browser on with a GET. */
export const seeOther = (location: string): APIGatewayProxyStructuredResultV2 => ({
  statusCode: 303,
  headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  body: '',
});
