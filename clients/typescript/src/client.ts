import { createResources, type Resources } from './generated/methods.gen.ts';
import { type CallOptions, createTransport, type Fetch, longestTimerMs } from './transport.ts';

interface CommonOptions {
  /** Secret on a server, publishable in a browser. */
  readonly apiKey: string;
  readonly fetch?: Fetch | undefined;
  /** Of one attempt (default 35 s, a little more than the service's own 30 s). */
  readonly timeoutMs?: number | undefined;
  /** After the first attempt (default 4). */
  readonly maxRetries?: number | undefined;
  /** A longer `Retry-After` is thrown instead of waited for (default 60 s, what every rate limit asks for). */
  readonly maxRetryAfterSeconds?: number | undefined;
  readonly onResponse?: CallOptions['onResponse'];
  /** Waits between attempts; a test's seam. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** In [0, 1), for jitter; a test's seam. */
  readonly random?: (() => number) | undefined;
}

/** Where the service is: its whole address, or its domain with the region, which the key tells unless said otherwise. */
type Place =
  | { readonly baseUrl: string; readonly domain?: undefined; readonly region?: undefined }
  | { readonly domain: string; readonly region?: 'us' | 'au' | 'eu' | undefined; readonly baseUrl?: undefined };

export type ClientOptions = CommonOptions & Place;
export type Client = Resources;

const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end);
        resolve();
      },
      Math.min(ms, longestTimerMs),
    );
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

const regionOf = (apiKey: string): string => {
  const [, region] = /^svc_(?:[sp]k_)?(?:live|test)_(au|us|eu)_/.exec(apiKey) ?? [];
  if (region === undefined) throw new TypeError('The key names no region: is it whole? Else pass region or baseUrl.');
  return region;
};

const baseUrlOf = ({ apiKey, baseUrl, domain, region }: ClientOptions): string => {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  if (!domain) throw new TypeError('baseUrl or domain is needed.');
  return `https://${region ?? regionOf(apiKey)}.${domain}/api/v2`;
};

/** A client of one API key. Makes no request by itself; throws a `TypeError` for options that cannot work. */
export const createClient = (options: ClientOptions): Client => {
  if (!options.apiKey) throw new TypeError('apiKey is needed.');
  // Told here and without the key: `fetch` would quote it in its message, and look like a network that fails.
  if (/[^\x21-\x7e]/.test(options.apiKey.trim())) throw new TypeError('apiKey has a character that no key has: is it whole?');
  return createResources(
    createTransport({
      apiKey: options.apiKey,
      baseUrl: baseUrlOf(options),
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      timeoutMs: options.timeoutMs ?? 35_000,
      maxRetries: options.maxRetries ?? 4,
      maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? 60,
      onResponse: options.onResponse,
      wait: options.wait ?? waitFor,
      random: options.random ?? Math.random,
    }),
  );
};
