import { createResources, type Resources } from './generated/methods.gen.ts';
import { reasonOf } from './signals.ts';
import { assertOptions, type CallOptions, createTransport, type Fetch, longestTimerMs } from './transport.ts';

interface CommonOptions {
  /** A secret key on a server, a publishable key in a browser. */
  readonly apiKey: string;
  readonly fetch?: Fetch | undefined;
  /** Timeout of one attempt. Default 35 s, a little more than the service's own 30 s. */
  readonly timeoutMs?: number | undefined;
  /** Retries after the first attempt (default 4). */
  readonly maxRetries?: number | undefined;
  /**
   * Maximum `Retry-After` to wait for; a longer one throws (default 60 s, as in every rate limit).
   */
  readonly maxRetryAfterSeconds?: number | undefined;
  readonly onResponse?: CallOptions['onResponse'];
  /** Waits between attempts; replaceable in tests. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Returns a number in [0, 1) for jitter; replaceable in tests. */
  readonly random?: (() => number) | undefined;
}

/** The service's whole address, or its domain; the key names the region. */
type ServiceAddress = { readonly baseUrl: string; readonly domain?: undefined } | { readonly domain: string; readonly baseUrl?: undefined };

export type ClientOptions = CommonOptions & ServiceAddress;
export type Client = Resources;

const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal && reasonOf(signal));
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
  if (typeof apiKey !== 'string' || !apiKey)
    throw new TypeError('An apiKey is needed: the secret key of a server, or the publishable one of a browser.');
  // Thrown here and without the key: `fetch` would quote it in its message, and the error would
  // look like a network failure.
  const [, region] = /^svc_(?:[sp]k_)?(?:live|test)_(au|us|eu)_[A-Za-z0-9_-]+$/.exec(apiKey.trim()) ?? [];
  if (region) return region;
  throw new TypeError('This apiKey has not the form of a key (svc_sk_live_us_…): is it whole, and without quotes or spaces?');
};

const hostOf = (domain: string): string => {
  const host = domain.trim();
  if (/^[a-z\d](?:[a-z\d.-]*[a-z\d])?(?::\d{1,5})?$/i.test(host)) return host;
  throw new TypeError(`domain is a host name without scheme and path, for example api.example.com, and not ${JSON.stringify(domain)}.`);
};

const isUrl = (text: string): boolean => {
  try {
    return Boolean(new URL(text)); // URL.canParse is missing in older runtimes
  } catch {
    return false;
  }
};

/** Throws for an address that no request can be sent to, because `fetch` would report it as a network failure. */
const assertAddress = (name: string, address: string, origin = ''): void => {
  const url = `${origin}${address}`;
  const [all, port = '0'] = /^https?:\/\/(?:\[[\da-f:.]+\]|[^\s/?#:@[\]]+)(?::([^/?#@]*))?(?:\/[^\s?#]*)?$/i.exec(url) ?? [];
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new TypeError(`${name} has no valid port, which is a number from 0 to 65535: ${address}`);
  if (all === undefined || !isUrl(url)) throw new TypeError(`${name} is no address that begins with http:// or https://: ${address}`);
};

const baseUrlOf = (region: string, { baseUrl, domain, fetch }: ClientOptions): string => {
  for (const [name, value] of Object.entries({ baseUrl, domain }))
    if (value !== undefined && typeof value !== 'string') throw new TypeError(`${name} must be a text.`);
  if (baseUrl === undefined) {
    if (!domain) throw new TypeError("Give the address of the service: domain: 'api.example.com', or baseUrl with /api/v2 at its end.");
    const url = `https://${region}.${hostOf(domain)}/api/v2`;
    assertAddress('domain', url);
    return url;
  }
  // A page may use a path of its own host, and so may a fetch of the caller, for example SvelteKit's.
  const takesPath = fetch !== undefined || (globalThis as { readonly location?: unknown }).location !== undefined;
  assertAddress('baseUrl', baseUrl, takesPath && baseUrl.startsWith('/') ? 'http://page' : '');
  const [, named] = /^https?:\/\/(au|us|eu)\./i.exec(baseUrl) ?? [];
  if (!named || named.toLowerCase() === region) return baseUrl.replace(/\/+$/, '');
  const right = baseUrl.replace(/:\/\/../, `://${region}`).replace(/\/+$/, '');
  throw new TypeError(`The key is of the region ${region}, but baseUrl is the host of ${named}: use ${right}, or a key of ${named}.`);
};

/**
 * Returns a client for an API key. It sends nothing on its own. Throws a `TypeError` for options
 * that cannot work.
 */
export const createClient = (options: ClientOptions): Client => {
  const region = regionOf(options.apiKey);
  assertOptions(options);
  return createResources(
    createTransport({
      apiKey: options.apiKey.trim(),
      region,
      baseUrl: baseUrlOf(region, options),
      fetch: options.fetch,
      timeoutMs: options.timeoutMs ?? 35_000,
      maxRetries: options.maxRetries ?? 4,
      maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? 60,
      onResponse: options.onResponse,
      wait: options.wait ?? waitFor,
      random: options.random ?? Math.random,
    }),
  );
};
