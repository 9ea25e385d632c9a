import { basename } from 'node:path';
import { type Html, html } from '../../shared/core/html.ts';
import type { Reference } from './document.ts';
import { type Icon, icon } from './frame.ts';
import { drawing, figure } from './markdown.ts';
import { regionTarget } from './postman.ts';
import { json, type SampleTarget } from './samples.ts';

/** The parts of the service. The start page draws them from left to right, or down on a phone. */
const flow = (direction: 'LR' | 'TD') => `flowchart ${direction}
  shop[Your program] -->|API key| api[REST API]
  shopper[Shopper] -->|pays| page[Hosted checkout]
  api --> data[(One region's data)]
  page --> data
  data -->|signed events| hook[Your webhook endpoint]`;
const flowLabel = 'Drawing: your program sends requests to the API, shoppers pay on the hosted checkout, and events go to your endpoint';

const cards: readonly (readonly [href: string, icon: Icon, title: string, text: string])[] = [
  ['getting-started/', 'play', 'Get started', 'Get a key, send the first request, create a record and receive its event.'],
  ['reference/', 'braces', 'API reference', 'Every operation with fields, errors, samples in three languages, and a form to try it.'],
  ['webhooks/', 'receive', 'Webhooks', 'Event types, signatures to verify in seven languages, retries, and what to do about failures.'],
  ['storefronts/', 'shop', 'Storefronts', 'A publishable key in the browser, availability, and a checkout that takes the payment.'],
];

/** Cards that lead to the main pages. */
export const cardList = (root: string): Html =>
  html`<ul class="cards">${cards.map(([href, name, title, text]) => html`<li>${icon(name)}<a href="${root}${href}">${title}</a><p>${text}</p></li>`)}</ul>`;

/** The first request, with the demo keys of the service that serves the page. */
const firstRequest = (target: SampleTarget | undefined): string => `export BAKERY_URL=${(target ?? regionTarget('us')).base}
export BAKERY_API_KEY=${target?.key ?? 'svc_sk_live_us_…'}
export BAKERY_PUBLISHABLE_KEY=${target?.publishableKey ?? 'svc_pk_live_us_…'}
curl -s "$BAKERY_URL/reference/expense-categories" \\
  -H "Authorization: Bearer $BAKERY_API_KEY"`;

export const startDescription = 'A REST API and signed webhooks for bakeries: orders, customers, expenses, products and checkout.';

/** The response to the first request. It is the same for every account. */
const firstResponse = ({ resources }: Reference): unknown =>
  resources.flatMap(({ operations }) => operations).find(({ id }) => id === 'listExpenseCategories')?.examples[0]?.response;

/**
 * The content of the start page: a summary, the first request, links to the guides and a drawing.
 */
export const startPage = (reference: Reference, target: SampleTarget | undefined): Html => html`<div class="hero"><div>
<h1>Bakery Commerce for developers</h1>
<p class="lead">A REST API and signed webhooks for the business of a bakery: orders, customers, expenses, products, availability and a hosted checkout. Each account lives in one of three regions.</p>
<p class="ways"><a class="primary" href="./getting-started/">Get started</a><a href="./reference/">API reference</a></p>
<p class="clients">There are clients for <a href="./getting-started/#use-typescript-or-python">TypeScript and Python</a>.</p>
</div><div id="first-request">
${figure(firstRequest(target), 'bash', 'A first request')}
${figure(json(firstResponse(reference)), 'json', 'Response, 200')}
</div></div>
${cardList('./')}
<h2 id="how-it-works">How it works</h2>
<div class="across">${drawing(flow('LR'), flowLabel, 'across')}</div>
<div class="down">${drawing(flow('TD'), flowLabel, 'down')}</div>`;

export interface Guide {
  /** Its folder on the site. */
  readonly slug: string;
  /** File below `docs/`. */
  readonly file: string;
  /** Name of the guide's Markdown on the site. */
  readonly text: string;
  readonly title: string;
}

const guide = (slug: string, title: string, file = `guides/${slug}.md`): Guide => ({ slug, file, text: basename(file), title });

/** Every guide in reading order, by heading. */
export const guideGroups: Readonly<Record<string, readonly Guide[]>> = {
  Start: [guide('getting-started', 'Getting started'), guide('authentication', 'Authentication'), guide('regions', 'Regions and hosts')],
  Requests: [
    guide('errors', 'Errors'),
    guide('idempotency', 'Idempotency'),
    guide('pagination', 'Pagination and syncing'),
    guide('rate-limits', 'Rate limits'),
  ],
  Build: [
    guide('webhooks', 'Webhooks'),
    guide('orders-and-payments', 'Orders and payments'),
    guide('storefronts', 'Storefronts and CORS'),
    guide('checkout', 'Hosted checkout'),
    guide('local-testing', 'Testing locally'),
    guide('sandbox', 'A sandbox for tests'),
    guide('go-live', 'Go-live checklist'),
  ],
  'Look up': [
    guide('troubleshooting', 'Troubleshooting'),
    guide('behavior-details', 'Behavior in detail'),
    guide('versioning', 'Versioning policy'),
    guide('v1-to-v2', 'From v1 to v2'),
    guide('what-changed', 'What changed'),
    guide('glossary', 'Glossary', 'glossary.md'),
  ],
  Inside: [guide('architecture', 'Architecture', 'architecture.md')],
};

export const guides: readonly Guide[] = Object.values(guideGroups).flat();
