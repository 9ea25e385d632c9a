import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

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
