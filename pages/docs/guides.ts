import { readFile } from 'node:fs/promises';

export interface Guide {
  /** Its folder on the site; empty for the first page. */
  readonly slug: string;
  readonly file: string;
  readonly title: string;
}

const guide = (slug: string, file: string, title: string): Guide => ({ slug, file: `docs/guides/${file}`, title });

/** Every page of the guides in reading order, by the heading it stands under. */
export const guideGroups: readonly { readonly title: string; readonly guides: readonly Guide[] }[] = [
  {
    title: 'Start',
    guides: [
      guide('', 'getting-started.md', 'Getting started'),
      guide('authentication', 'authentication.md', 'Authentication'),
      guide('regions', 'regions.md', 'Regions and hosts'),
    ],
  },
  {
    title: 'Requests',
    guides: [
      guide('errors', 'errors.md', 'Errors'),
      guide('idempotency', 'idempotency.md', 'Idempotency'),
      guide('pagination', 'pagination.md', 'Pagination and syncing'),
      guide('rate-limits', 'rate-limits.md', 'Rate limits'),
    ],
  },
  {
    title: 'Build',
    guides: [
      guide('webhooks', 'webhooks.md', 'Webhooks'),
      guide('storefronts', 'storefronts.md', 'Storefronts and CORS'),
      guide('local-testing', 'local-testing.md', 'Testing locally'),
      guide('go-live', 'go-live.md', 'Go-live checklist'),
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);

export const readGuide = ({ file }: Guide): Promise<string> => readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
