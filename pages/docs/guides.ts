import { basename } from 'node:path';
import { type Html, html } from '../../shared/core/html.ts';
import { drawing, figure } from './markdown.ts';
import type { Place } from './samples.ts';

/** The parts of the service, as the start page draws them. */
const flow = `flowchart LR
  shop[Your shop or program] -->|requests with an API key| api[REST API]
  shopper[Shopper] -->|pays| page[Hosted checkout]
  api --> data[(One region's data)]
  page --> data
  data -->|signed events, retried for 26 hours| hook[Your webhook endpoint]`;

const cards: readonly (readonly [href: string, title: string, text: string])[] = [
  ['getting-started/', 'Get started', 'Start the service on your machine, create a record and receive its event.'],
  ['reference/', 'API reference', 'Every operation with fields, errors, samples in three languages, and a form to try it.'],
  ['webhooks/', 'Webhooks', 'Event types, signatures to verify in seven languages, retries, and what to do about failures.'],
  ['storefronts/', 'Storefronts', 'A publishable key in the browser, availability, and a checkout that takes the payment.'],
];

/** The first request, with the demo keys of the service that serves the page. */
const firstRequest = (place: Place | undefined): string => `export BAKERY_API=${place?.base ?? 'http://127.0.0.1:4001/api/v2'}
export BAKERY_KEY=${place?.key ?? 'svc_sk_live_us_…'}
export BAKERY_PUBLISHABLE_KEY=${place?.publishableKey ?? 'svc_pk_live_us_…'}
curl -s "$BAKERY_API/reference/expense-categories" \\
  -H "Authorization: Bearer $BAKERY_KEY"`;

export const startDescription = 'A REST API and signed webhooks for bakeries: orders, customers, expenses, products and checkout.';

/**
 * The content of the start page: a summary, links to the guides, a drawing and the first request.
 */
export const startPage = (place: Place | undefined): Html => html`<h1>Bakery Commerce for developers</h1>
<p>A REST API and signed webhooks for the business of a bakery: orders, customers, expenses, products, availability and a hosted checkout. Each account lives in one of three regions.</p>
<ul class="cards">${cards.map(([href, title, text]) => html`<li><a href="./${href}">${title}</a><p>${text}</p></li>`)}</ul>
<h2 id="how-it-works">How it works</h2>
${drawing(flow, 'Drawing: a shop sends requests to the API, shoppers pay on the hosted checkout, and events go to your endpoint', 1)}
<h2 id="first-request">A first request</h2>
${figure(firstRequest(place), 'bash')}
${figure('{ "expense_categories": [{ "id": "ingredients", "label": "Ingredients" }] }', 'json', 'Response, 200')}
<p>Next: <a href="./getting-started/">Getting started</a>. There are clients for <a href="./getting-started/#use-typescript-or-python">TypeScript and Python</a>.</p>`;

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
