import type { Item } from '../../../local/engine/commands/values.ts';
import type { Walk } from '../people/journal.ts';
import type { ListName } from '../people/reader.ts';
import { recordIn } from '../reading/records.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most that an index lags behind the table. */
const lagMs = 2_500;

type View = Readonly<Record<string, unknown>>;

interface Shown {
  /** First segment of its records' partition keys. */
  readonly prefix: string;
  /** Which records the list shows, by the specification. */
  readonly shows: (view: View) => boolean;
}

const stands = (view: View): boolean => (view['deleted_at'] ?? null) === null && view['status'] !== 'deleted';
const nameHas = (view: View, text: string): boolean =>
  [view['first_name'], view['last_name']]
    .filter((part) => part !== null)
    .join(' ')
    .toLowerCase()
    .includes(text);
const inStore = (view: View): boolean => view['status'] === 'active' && view['hidden'] === false;
const expenses = (shows: (view: View) => boolean = () => true): Shown => ({ prefix: 'exp', shows: (view) => stands(view) && shows(view) });
const orders = (shows: (view: View) => boolean = () => true): Shown => ({ prefix: 'ord', shows: (view) => stands(view) && shows(view) });
const deliveries = (status?: string): Shown => ({ prefix: 'dlv', shows: (view) => status === undefined || view['status'] === status });

const shownBy: Readonly<Record<ListName, Shown>> = {
  '/expenses': expenses(),
  '/expenses?category=ingredients': expenses(({ category }) => category === 'ingredients'),
  '/expenses?status=submitted': expenses(({ status }) => status === 'submitted'),
  '/expenses?order_by=updated_at': expenses(),
  '/orders': orders(),
  '/orders?status=pending,confirmed': orders(({ status }) => status === 'pending' || status === 'confirmed'),
  '/orders?status=pending,confirmed&payment_status=pending': orders(
    ({ status, payment_status }) => (status === 'pending' || status === 'confirmed') && payment_status === 'pending',
  ),
  '/orders?sort=deliveryDate&status=pending': orders(({ status }) => status === 'pending'),
  '/customers': { prefix: 'cus', shows: () => true },
  '/customers?search=a': { prefix: 'cus', shows: (view) => nameHas(view, 'a') },
  '/products': { prefix: 'prd', shows: stands },
  '/products?category=cakes': { prefix: 'prd', shows: (view) => stands(view) && view['category'] === 'cakes' },
  'public /products': { prefix: 'prd', shows: (view) => stands(view) && inStore(view) },
  '/webhooks': { prefix: 'whe', shows: ({ url }) => url !== undefined },
  events: deliveries(),
  'events?status=delivered': deliveries('delivered'),
  'events?status=failed': deliveries('failed'),
  'events?status=pending': deliveries('pending'),
};

const viewOf = (prefix: string, item: Item): View => {
  if (prefix === 'whe') return item;
  if (prefix === 'dlv') return item['view'] as unknown as View;
  return item['view'] ? recordIn<View & object>(item) : {};
};

/**
 * Returns records that did not change while the list was read, with whether the list must show
 * them.
 */
const stillDuring = ({ region }: Evidence, { account, subject, list, begunMs, endedMs }: Walk) => {
  const { prefix, shows } = shownBy[list as ListName];
  const home = subject === undefined ? `${prefix}#${account}` : `${prefix}#${account}#${subject}`;
  const last = new Map<string, Item | undefined>();
  const moving = new Set<string>();
  for (const { key, after, atMs } of region.engine.table('simulated').changes) {
    if (atMs > endedMs) break;
    if (key['pk'] !== home) continue;
    const id = String(key['sk']);
    if (atMs >= begunMs - lagMs) moving.add(id);
    else last.set(id, after);
  }
  const still = [...last].flatMap(([id, item]) => (item && !moving.has(id) ? [{ id, isShown: shows(viewOf(prefix, item)) }] : []));
  return {
    shown: still.filter(({ isShown }) => isShown).map(({ id }) => id),
    hidden: new Set(still.filter(({ isShown }) => !isShown).map(({ id }) => id)),
  };
};

const findingsOf = (evidence: Evidence, walk: Walk): readonly string[] => {
  const { pages, limit, list, account } = walk;
  const { shown, hidden } = stillDuring(evidence, walk);
  const counts = new Map<string, number>();
  for (const id of pages.flatMap(({ ids }) => ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  const isWhole = pages.at(-1)?.hasMore === false;
  const name = `${list} of ${account}, read by ${limit},`;
  return [
    ...(pages.some(({ ids }) => ids.length > limit) ? [`${name} had a page of more than ${limit}.`] : []),
    ...(pages.some(({ hasMore, cursor }) => hasMore !== (cursor !== null))
      ? [`${name} had has_more without a cursor, or the other way round.`]
      : []),
    ...(isWhole ? [] : [`${name} came to no end.`]),
    ...shown.flatMap((id) => {
      const count = counts.get(id) ?? 0;
      return count === 1 ? [] : [`${name} has ${id} ${count} times, which stood there all the while.`];
    }),
    ...[...counts.keys()].flatMap((id) => (hidden.has(id) ? [`${name} has ${id}, which it does not show.`] : [])),
  ];
};

export const walksWhole: Invariant = {
  number: 21,
  name: 'a list, read page by page, shows every record once that was there all the time, and none that does not belong to it',
  breaches: (evidence) => evidence.journal.walks.flatMap((walk) => findingsOf(evidence, walk)),
};
