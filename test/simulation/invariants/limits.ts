import type { Exchange } from '../world/traffic.ts';
import { type Birth, birthsOf, limitStartsOf, valuesDuring } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most time that a request of the API lasts, with calls that arrive late. */
const longestRequestMs = 45_000;

/**
 * Returns orders of the API that were created although the month had reached every limit that was
 * valid meanwhile. Orders around the start of a limit may be missed (decisions §4), if they last
 * longer also longer.
 */
const passed = (evidence: Evidence, account: string): readonly string[] => {
  const births = birthsOf(evidence, account);
  const starts = limitStartsOf(evidence, account);
  const isCounted = ({ atMs }: Birth) => starts.every((startMs) => Math.abs(atMs - startMs) > longestRequestMs);
  return births.flatMap(({ id, source, month, atMs }, i) => {
    if (source !== 'api') return [];
    const before = births.slice(0, i).filter((one) => one.month === month && isCounted(one)).length;
    const limits = valuesDuring(evidence, account, 'order_limit', [atMs - longestRequestMs, atMs]);
    return limits.every((limit) => limit !== null && before >= limit)
      ? [`${id} was made after ${before} others of the month, and the limit was ${limits.join(', then ')}.`]
      : [];
  });
};

/** Returns rejections for a limit that was not reached at any time of the request. */
const refusedBelow = (evidence: Evidence, account: string, traffic: readonly Exchange[]): readonly string[] => {
  const births = birthsOf(evidence, account);
  return traffic.flatMap(({ answer, request, sentMs, endedMs }) => {
    if (answer?.status !== 403 || !answer.text.includes('limit_reached')) return [];
    const limits = valuesDuring(evidence, account, 'order_limit', [sentMs, endedMs]);
    const months = [sentMs, endedMs].map((ms) => new Date(ms).toISOString().slice(0, 7));
    const most = Math.max(...months.map((month) => births.filter((one) => one.month === month && one.atMs <= endedMs).length));
    return limits.some((limit) => limit !== null && most >= limit)
      ? []
      : [`${request.method} ${request.path} was refused after ${most} orders, and the limit was ${limits.join(', then ')}.`];
  });
};

export const orderLimits: Invariant = {
  number: 9,
  name: 'POST /orders never exceeds the order limit, and no order below it is rejected',
  only: 'shop',
  breaches: (evidence) =>
    evidence.tenants.flatMap(({ account, key, shop }) => {
      const own = evidence.journal.traffic.filter(({ request }) => request.key === key || request.key === shop.publicKey);
      return [...passed(evidence, account), ...refusedBelow(evidence, account, own)];
    }),
};

const windowMs = 60_000;
/** The most that the clock of a function may be wrong. */
const skewMs = 1_000;
/** The most counts of one request: the count is repeated twice if its response is lost. */
const countsOfLost = 3;
/** Endpoints that accept publishable keys. They are also limited by IP address. */
const isPublic = /^\/(reference|availability|products|checkout)\b/;

const bucketsOf = ({ request: { method, path, key } }: Exchange): readonly { readonly name: string; readonly limit: number }[] => [
  method === 'GET' ? { name: `read ${key}`, limit: 300 } : { name: `write ${key}`, limit: 100 },
  ...(isPublic.test(path) ? [{ name: 'address', limit: 120 }] : []),
];

/** Returns the windows in which a request may have been counted. */
const windowsOf = ({ sentMs, endedMs }: Exchange): readonly [number, number] => [
  Math.floor((sentMs - skewMs) / windowMs),
  Math.floor((endedMs + skewMs) / windowMs),
];

export const rateLimits: Invariant = {
  number: 9,
  name: 'no requests exceed a rate limit, and none below it are rejected',
  only: 'shop',
  breaches({ journal: { traffic } }) {
    const admitted = new Map<string, number>();
    const possible = new Map<string, number>();
    const add = (counts: Map<string, number>, name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
    for (const exchange of traffic) {
      const [first, last] = windowsOf(exchange);
      const { answer, disturbed } = exchange;
      for (const { name } of bucketsOf(exchange)) {
        // A throttled table does not count a request, which its process then admits.
        if (answer && answer.status !== 429 && answer.status < 500 && first === last && !disturbed) add(admitted, `${name} ${first}`, 1);
        for (let window = first; window <= last; window++) add(possible, `${name} ${window}`, disturbed ? countsOfLost : 1);
      }
    }
    const over = [...new Map(traffic.flatMap(bucketsOf).map(({ name, limit }) => [name, limit]))].flatMap(([name, limit]) =>
      [...admitted].flatMap(([of, count]) =>
        of.startsWith(`${name} `) && count > limit
          ? [`${count} requests of one minute passed the ${limit} of "${name.split(' ')[0]}".`]
          : [],
      ),
    );
    const below = traffic.flatMap((exchange) => {
      // Another invariant checks the limit of tests.
      if (exchange.answer?.status !== 429 || exchange.disturbed || exchange.answer.rateLimit === '10') return [];
      const [first, last] = windowsOf(exchange);
      const isFull = bucketsOf(exchange).some(({ name, limit }) =>
        Array.from({ length: last - first + 1 }, (_, i) => possible.get(`${name} ${first + i}`) ?? 0).some((count) => count > limit),
      );
      const { request } = exchange;
      return isFull ? [] : [`${request.method} ${request.path} was refused below every limit.`];
    });
    return [...over, ...below];
  },
};
