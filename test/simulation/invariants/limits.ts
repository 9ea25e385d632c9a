import { sharedAddress } from '../world/http.ts';
import type { Exchange } from '../world/traffic.ts';
import type { Invariant } from './invariant.ts';

const windowMs = 60_000;
/** The most that the clock of a function may be wrong. */
const skewMs = 1_000;
/** The most counts of one request: the count is repeated twice if its response is lost. */
const countsOfLost = 3;
/** Endpoints that accept publishable keys. They are also limited by IP address. */
const isPublic = /^\/(reference|availability|products|checkout)\b/;

const bucketsOf = ({
  request: { method, path, key, address = sharedAddress },
}: Exchange): readonly { readonly name: string; readonly limit: number }[] => [
  method === 'GET' ? { name: `read ${key}`, limit: 300 } : { name: `write ${key}`, limit: 100 },
  ...(isPublic.test(path) ? [{ name: `address ${address}`, limit: 120 }] : []),
];

/** Returns the windows in which a request may have been counted. */
const windowsOf = ({ sentMs, endedMs }: Exchange): readonly [number, number] => [
  Math.floor((sentMs - skewMs) / windowMs),
  Math.floor((endedMs + skewMs) / windowMs),
];

export const rateLimits: Invariant = {
  number: 9,
  name: 'no requests exceed a rate limit, and none below it are rejected',
  only: ['shop', 'mixed'],
  breaches({ journal: { traffic } }) {
    const admitted = new Map<string, number>();
    const possible = new Map<string, number>();
    const add = (counts: Map<string, number>, name: string, by: number) => counts.set(name, (counts.get(name) ?? 0) + by);
    for (const exchange of traffic) {
      const [first, last] = windowsOf(exchange);
      const { response, disturbed } = exchange;
      for (const { name } of bucketsOf(exchange)) {
        // A throttled table does not count a request, which its process then admits.
        if (response && response.status !== 429 && response.status < 500 && first === last && !disturbed)
          add(admitted, `${name} ${first}`, 1);
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
      if (exchange.response?.status !== 429 || exchange.disturbed || exchange.response.rateLimit === '10') return [];
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
