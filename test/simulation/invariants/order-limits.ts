import type { Exchange } from '../world/traffic.ts';
import { itemsOfKind } from './history.ts';
import type { Invariant } from './invariant.ts';
import { type Books, booksOf, firstMonth, limitsDuring, monthOf, skewMs } from './order-books.ts';

const isReached = (limits: readonly (number | null)[], count: number): boolean => limits.every((limit) => limit !== null && count >= limit);

/**
 * Returns orders of the API that were created although the month had reached every limit during
 * their request.
 */
const passed = (books: Books): readonly string[] =>
  books.births.flatMap(({ id, source, month, atMs, begunMs }, i) => {
    if (source !== 'api' || month < firstMonth(books, atMs)) return [];
    const before = books.births.slice(0, i).filter((one) => one.month === month && books.isCounted(one)).length;
    const limits = limitsDuring(books, begunMs, atMs);
    return isReached(limits, before)
      ? [`${id} was made after ${before} others of the month, and the limit was ${limits.join(', then ')}.`]
      : [];
  });

/** Returns sessions that were opened although the month had reached every limit during their request. */
const opened = (books: Books, traffic: readonly Exchange[]): readonly string[] =>
  traffic.flatMap(({ response, request, sentMs, endedMs }) => {
    if (
      request.path !== '/checkout' ||
      response?.status !== 201 ||
      response.replayed ||
      monthOf(sentMs - skewMs) !== monthOf(endedMs + skewMs)
    )
      return [];
    const before = books.births.filter((one) => one.month === monthOf(sentMs) && one.atMs < sentMs && books.isCounted(one)).length;
    const limits = limitsDuring(books, sentMs, endedMs);
    return isReached(limits, before) ? [`A session was opened after ${before} orders, and the limit was ${limits.join(', then ')}.`] : [];
  });

/** Returns rejections for a limit that was not reached at any time of the request. */
const rejectedBelow = (books: Books, traffic: readonly Exchange[]): readonly string[] =>
  traffic.flatMap(({ response, request, sentMs, endedMs }) => {
    if (response?.status !== 403 || !response.text.includes('limit_reached')) return [];
    const { current, max } = (JSON.parse(response.text) as { readonly error: { readonly current: number; readonly max: number } }).error;
    const limits = limitsDuring(books, sentMs, endedMs);
    const months = [sentMs - skewMs, endedMs + skewMs].map(monthOf);
    const most = Math.max(...months.map((month) => books.births.filter((one) => one.month === month && one.atMs <= endedMs).length));
    const isRight = limits.includes(max) && max <= current && current <= most;
    return isRight
      ? []
      : [
          `${request.method} ${request.path} was rejected after ${most} orders, because ${current} reach ${max}; the limit was ${limits.join(', then ')}.`,
        ];
  });

/**
 * Checks the months' counts at the end, if the account has a limit. A month that began before the limit
 * counts from the limit's start on, if that is in it.
 */
const miscounted = (books: Books): readonly string[] => {
  const { evidence, account, births, starts } = books;
  const now = evidence.region.world.scheduler.now();
  if (starts.length === 0 || limitsDuring(books, now, now).includes(null)) return [];
  const counts = new Map(itemsOfKind(evidence, 'counter', account).map((item) => [String(item['sk']), Number(item['orders'])]));
  return [...new Set(births.map(({ month }) => month))].flatMap((month) => {
    if (month < firstMonth(books, now)) return [];
    const all = births.filter((one) => one.month === month);
    const least = all.filter(books.isCounted).length;
    const count = counts.get(`orders_${month}`) ?? 0;
    return least <= count && count <= all.length ? [] : [`${account} made ${all.length} orders in ${month}, and ${count} are counted.`];
  });
};

export const orderLimits: Invariant = {
  number: 9,
  name: 'POST /orders never exceeds the order limit, no order below it is rejected, and the month counts its orders',
  only: ['shop', 'mixed'],
  breaches: (evidence) =>
    evidence.tenants.flatMap(({ account, key, shop }) => {
      const own = evidence.journal.traffic.filter(({ request }) => request.key === key || request.key === shop.publicKey);
      const books = booksOf(evidence, account);
      return [...passed(books), ...opened(books, own), ...rejectedBelow(books, own), ...miscounted(books)];
    }),
};
