import type { Random } from '../scheduler/random.ts';
import { send } from './integrator.ts';
import type { Walk } from './journal.ts';
import type { Stage } from './person.ts';
import { atWork } from './person.ts';

const mostTries = 5;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
}

/** The lists, and whether each belongs to an endpoint. The invariant knows what each shows. */
export const lists = [
  ...['/expenses', '/expenses?category=ingredients', '/expenses?status=submitted', '/expenses?order_by=updated_at'],
  ...[
    '/orders',
    '/orders?status=pending,confirmed',
    '/orders?status=pending,confirmed&payment_status=pending',
    '/orders?sort=deliveryDate&status=pending',
    '/customers',
    '/customers?search=a',
  ],
  ...['/products', '/products?category=cakes', 'public /products', '/webhooks'],
  ...['events', 'events?status=delivered', 'events?status=failed', 'events?status=pending'],
] as const;
export type ListName = (typeof lists)[number];

const pathOf = (list: ListName, subject: string): string => {
  if (list.startsWith('events')) return `/webhooks/${subject}/${list}`;
  return list.startsWith('public ') ? list.slice('public '.length) : list;
};

/** Reads one page, with retries. Undefined if it fails. */
const askPage = async ({ region, journal }: Stage, path: string, key: string, random: Random): Promise<Page | undefined> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const { response } = await send(region, journal, { method: 'GET', path, key });
    if (response?.status === 200) return JSON.parse(response.text) as Page;
    if (response && response.status < 500 && response.status !== 429) return undefined;
    await region.world.scheduler.sleep(1_000 + random.below(20_000));
  }
  return undefined;
};

type WalkPage = Walk['pages'][number];

/**
 * Reads pages until one is the last, or until a cursor comes back: such a list has no end. The number of
 * pages has no limit, because a list may have any number of records. Undefined if a page fails.
 */
export const readPages = async (ask: (cursor: string | null) => Promise<Page | undefined>): Promise<readonly WalkPage[] | undefined> => {
  const pages: WalkPage[] = [];
  const cursors = new Set<string | null>();
  let cursor: string | null = null;
  do {
    cursors.add(cursor);
    const page: Page | undefined = await ask(cursor);
    if (!page) return undefined;
    const { has_more: hasMore, next_cursor } = page.pagination;
    pages.push({ ids: page.data.map(({ id }) => id), hasMore, cursor: next_cursor });
    if (!hasMore) return pages;
    cursor = next_cursor;
  } while (!cursors.has(cursor));
  return pages;
};

/** Reads a list from its first page to its last, and records it if no page was rejected. */
export const walk = async (stage: Stage, name: string, list: ListName, limit: number, random: Random): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { scheduler } = region.world;
  const isOfEndpoint = list.startsWith('events');
  if (isOfEndpoint && tenant.endpoints.length === 0) return;
  const subject = isOfEndpoint ? random.pick(tenant.endpoints) : undefined;
  const base = pathOf(list, subject ?? '');
  const key = list.startsWith('public ') ? tenant.shop.publicKey : tenant.key;
  const begunMs = scheduler.now();
  const pages = await readPages((cursor) => {
    const query = `limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`;
    return askPage(stage, `${base}${base.includes('?') ? '&' : '?'}${query}`, key, random);
  });
  if (!pages) return;
  scheduler.note(name, `GET ${base} by ${limit}: ${pages.length} pages`);
  journal.walks.push({ account: tenant.account, list, subject, limit, pages, begunMs, endedMs: scheduler.now() });
};

/**
 * Doubles its length as JSON, so that a page of the table holds more records than a response may.
 */
const longText = '"'.repeat(18_000);
const longTexts = 34;

/**
 * A program that reads lists in small pages while others write. Some records are so long that pages
 * are cut.
 */
export const read = async (stage: Stage): Promise<void> => {
  const { region, journal, tenant, number } = stage;
  const { scheduler } = region.world;
  const name = `reader-${number}`;
  const own = scheduler.stream(name);
  const isLong = region.hasWholePages && number === 1;
  await atWork(stage, {
    name,
    actions: 1 + own.below(4) + (isLong ? 2 : 0),
    pauseMs: (random) => random.below(random.chance(0.2) ? 900_000 : 60_000),
    async act(random, action) {
      if (isLong && action === 0)
        for (let i = 0; i < longTexts; i++)
          await send(region, journal, {
            ...{ method: 'POST', path: '/expenses', key: tenant.key },
            body: { amount: 1 + i, date: '2026-03-05', category: 'ingredients', description: longText },
          });
      if (isLong && action <= 1) return walk(stage, name, '/expenses', 100, random);
      return walk(stage, name, random.pick(lists), 1 + random.below(6), random);
    },
  });
};

/** Reads some lists in short pages, and the merged ones in long pages, after all changes. */
export const readAll = async (stage: Stage): Promise<void> => {
  const name = `night-reader-${stage.number}`;
  const random = stage.region.world.scheduler.stream(name);
  for (const list of lists.filter(() => random.chance(0.2))) await walk(stage, name, list, 2 + random.below(5), random);
  // A page that several reads of the table are merged into must end where one of them does.
  for (const list of lists.filter((one) => one.includes('status=pending,confirmed'))) await walk(stage, name, list, 50, random);
};
