import { readFile } from 'node:fs/promises';
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

const guide = (slug: string, file: string, title: string): Guide => ({ slug, file, text: basename(file), title });

/** Every guide in reading order, grouped by heading. */
export const guideGroups: readonly { readonly title: string; readonly guides: readonly Guide[] }[] = [
  {
    title: 'Start',
    guides: [
      guide('getting-started', 'guides/getting-started.md', 'Getting started'),
      guide('authentication', 'guides/authentication.md', 'Authentication'),
      guide('regions', 'guides/regions.md', 'Regions and hosts'),
    ],
  },
  {
    title: 'Requests',
    guides: [
      guide('errors', 'guides/errors.md', 'Errors'),
      guide('idempotency', 'guides/idempotency.md', 'Idempotency'),
      guide('pagination', 'guides/pagination.md', 'Pagination and syncing'),
      guide('rate-limits', 'guides/rate-limits.md', 'Rate limits'),
    ],
  },
  {
    title: 'Build',
    guides: [
      guide('webhooks', 'guides/webhooks.md', 'Webhooks'),
      guide('storefronts', 'guides/storefronts.md', 'Storefronts and CORS'),
      guide('local-testing', 'guides/local-testing.md', 'Testing locally'),
      guide('go-live', 'guides/go-live.md', 'Go-live checklist'),
    ],
  },
  {
    title: 'Look up',
    guides: [
      guide('troubleshooting', 'guides/troubleshooting.md', 'Troubleshooting'),
      guide('what-changed', 'guides/what-changed.md', 'What changed'),
      guide('glossary', 'glossary.md', 'Glossary'),
    ],
  },
  { title: 'Inside', guides: [guide('architecture', 'architecture.md', 'Architecture')] },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);

export const readGuide = ({ file }: Guide): Promise<string> => readFile(new URL(`../../docs/${file}`, import.meta.url), 'utf8');
