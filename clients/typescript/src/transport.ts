import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { type Repeatable, type RetryPolicy, retryDelayMs } from './retries.ts';
import { assertSignal, reasonOf, throwIfAborted } from './signals.ts';
import { randomId } from './web-crypto.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One response with any status. A retried call has several. */
export interface ResponseInfo {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** Attempt number, from 1. */
  readonly attempt: number;
}

export interface CallOptions {
  /** Cancels the call, including its waits, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /**
   * Runs with every response; `X-RateLimit-Limit`, `Idempotent-Replayed` and `X-Request-Id` are
   * read here.
   */
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/** Options of the five creations that accept an Idempotency-Key (§ Limits, idempotency rules). */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 letters, digits, `_`, `-`, `:` and `.`. Default: a key that is made for the call and
   * kept over its retries.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface Request {
  readonly method: string;
  /** The path in the document: `/orders/{id}`. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly repeatable: Repeatable;
}

export interface TransportSettings extends RetryPolicy {
  /** Includes `/api/v2`, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The region of the key. */
  readonly region: string;
  /** Default: the platform's. */
  readonly fetch: Fetch | undefined;
  readonly timeoutMs: number;
  /** Rejects with the signal's reason if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly onResponse: CallOptions['onResponse'];
}

/** Throws `ApiError`, `ConnectionError`, `TimeoutError` or the reason of the caller's signal. */
export type Send = (request: Request, options?: CreateOptions) => Promise<unknown>;

/** An empty segment, `.` or `..` would address another resource. */
const segmentOf = (name: string, value: string | undefined): string => {
  if (!value || /^\.{1,2}$/.test(value)) throw new TypeError(`${name} is needed.`);
  return encodeURIComponent(value);
};

const urlOf = (baseUrl: string, { path, parameters = {}, query = {} }: Request): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, parameters[name]));
  // Without URLSearchParams, whose set() React Native lacks. Commas separate the values of an array.
  const fields = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return `${baseUrl}${filled}${fields.length === 0 ? '' : `?${fields.join('&')}`}`;
};

/** More than any response of the service has, which are 5 MB at most. */
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Returns the text of a response, or something else if a foreign `fetch` has no text in it. A longer one
 * is cut off, so that a server that never ends its response cannot fill the memory: the rest is no JSON,
 * and the call throws.
 */
const textOf = async (response: Response): Promise<unknown> => {
  // React Native has no streams, and those of node-fetch are Node's own.
  if (typeof response.body?.getReader !== 'function') return response.text();
  const reader: ReadableStreamDefaultReader<unknown> = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const chunk = part.value as Uint8Array | string;
    if (typeof chunk !== 'string' && !ArrayBuffer.isView(chunk)) return undefined;
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    length += chunk.length;
    if (length > maxResponseBytes) {
      await reader.cancel();
      break;
    }
  }
  return text + decoder.decode();
};

/** The reason of runtimes whose `fetch` decompresses (Node, Bun, node-fetch); undefined for other failures. */
const decodingReasonOf = (failure: unknown): string | undefined => {
  const { cause, code, message } = (failure ?? {}) as { readonly cause?: unknown; readonly code?: unknown; readonly message?: unknown };
  if (/^(Z_|ZSTD_|ERR__ERROR|ERR_BROTLI|Zlib|Brotli|Zstd)/.test(String(code))) return String(message);
  return cause === undefined ? undefined : decodingReasonOf(cause);
};

interface Content {
  readonly text?: string;
  /** Why the body cannot be decoded, for example because it is no gzip. */
  readonly undecodable?: string;
}

/**
 * Rejects if the connection breaks. A body that arrived and cannot be decoded is no network failure, which
 * would be retried.
 */
const contentOf = async (response: Response): Promise<Content> => {
  if (!isReadable(response)) return {};
  try {
    const text = await textOf(response);
    return typeof text === 'string' ? { text } : {};
  } catch (failure) {
    const undecodable = decodingReasonOf(failure);
    if (undecodable === undefined) throw failure;
    return { text: '', undecodable };
  }
};

const isReadable = (response: Partial<Response> | undefined): boolean =>
  (typeof response?.body?.getReader === 'function' || typeof response?.text === 'function') && !response.bodyUsed && !response.body?.locked;

/**
 * Throws if a foreign `fetch` returned a response without a part that is needed. The request has been
 * sent by then, so this is no network failure, which would be retried.
 */
const assertResponse = (response: Partial<Response> | undefined, isTextRead: boolean): void => {
  const missing = [
    ...(typeof response?.status === 'number' ? [] : ['status']),
    ...(typeof response?.headers?.get === 'function' ? [] : ['headers.get()']),
    ...(isTextRead ? [] : ['an unread text()']),
  ];
  if (missing.length > 0)
    throw new TypeError(`The fetch of this client returned a response without ${missing.join(' and ')}. The request may have succeeded.`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Returns the caller's function or the platform's, to be called without `this`, which `window.fetch` rejects. */
const fetchOf = ({ fetch = globalThis.fetch }: TransportSettings): Fetch => {
  if (typeof fetch === 'function') return fetch;
  throw new TypeError('This runtime has no fetch. Pass a function: createClient({ fetch, … }).');
};

/** A longer timer would fire immediately. */
export const longestTimerMs = 2 ** 31 - 1;

const assertAtLeast = (min: number, options: Readonly<Record<string, number>>): void => {
  for (const [name, value] of Object.entries(options))
    if (!(typeof value === 'number' && value >= min))
      throw new TypeError(`${name} must be a number of at least ${min}, and is ${String(value)}. Perhaps a variable is not set.`);
};

/** Throws for an option that would fail only after a request was sent. */
export const assertOptions = ({ timeoutMs = 1, maxRetries = 0, onResponse }: CallOptions, maxRetryAfterSeconds = 0): void => {
  assertAtLeast(1, { timeoutMs });
  assertAtLeast(0, { maxRetries, maxRetryAfterSeconds });
  if (onResponse !== undefined && typeof onResponse !== 'function') throw new TypeError('onResponse must be a function.');
};

/** Runs under a signal that aborts with the caller's signal or after `timeoutMs`, and ends then even if `fetch` ignores it. */
const withDeadline = async <Result>(
  { signal, timeoutMs, baseUrl }: { signal: AbortSignal | undefined; timeoutMs: number; baseUrl: string },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController();
  const ended = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(reasonOf(controller.signal)), { once: true });
  });
  const passOn = () => controller.abort(signal && reasonOf(signal));
  let late = false;
  const timer = setTimeout(
    () => {
      late = true;
      controller.abort();
    },
    Math.min(timeoutMs, longestTimerMs),
  );
  if (signal?.aborted) passOn();
  else signal?.addEventListener('abort', passOn, { once: true });
  try {
    return await Promise.race([run(controller.signal), ended]);
  } catch (cause) {
    throwIfAborted(signal);
    if (late) throw new TimeoutError(`No whole answer came within ${timeoutMs} ms.`, { cause });
    throw new ConnectionError(`No whole answer came from ${baseUrl}: is that the service's address, and can it be reached from here?`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', passOn);
  }
};

const keyOf = ({ idempotencyKey }: CreateOptions): string => {
  // `fetch` fails on it just as without a network.
  if (idempotencyKey !== undefined && /[^\x20-\x7e]/.test(idempotencyKey))
    throw new TypeError('idempotencyKey has a character that no header can carry.');
  return idempotencyKey ?? randomId();
};

const hintOf = ({ region, baseUrl }: TransportSettings, status: number): string | undefined =>
  status === 401
    ? `The key names the region ${region}: is ${baseUrl} that region's address, and the key neither revoked nor expired?`
    : undefined;

/** Sends the calls of one key. A call is one request, or several if its failure may be retried. */
export const createTransport = (settings: TransportSettings): Send => {
  const attempt = async (url: string, init: RequestInit, number: number, options: CallOptions): Promise<unknown> => {
    const { timeoutMs = settings.timeoutMs, onResponse = settings.onResponse } = options;
    const fetch = fetchOf(settings);
    const { response, text, undecodable } = await withDeadline(
      { signal: options.signal, timeoutMs, baseUrl: settings.baseUrl },
      async (signal) => {
        const response = await fetch(url, { ...init, signal });
        return { response, ...(await contentOf(response)) };
      },
    );
    assertResponse(response, text !== undefined);
    const { status, headers } = response;
    onResponse?.({ method: init.method ?? 'GET', url, status, headers, attempt: number });
    const body = parsed(text ?? '');
    if (status >= 200 && status < 300 && typeof body === 'object') return body;
    throw new ApiError({
      status,
      headers,
      body,
      hint: undecodable ? `Its body cannot be decoded: ${undecodable}` : hintOf(settings, status),
    });
  };

  return async (request, options = {}) => {
    const { method, body, repeatable } = request;
    assertSignal(options.signal);
    assertOptions(options);
    const key = repeatable === 'keyed' ? keyOf(options) : undefined;
    const init: RequestInit = {
      method,
      redirect: 'manual', // the API never redirects, and a key belongs to one host
      headers: {
        authorization: `Bearer ${settings.apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const policy: RetryPolicy = { ...settings, maxRetries: options.maxRetries ?? settings.maxRetries };
    for (let retry = 0; ; retry += 1)
      try {
        throwIfAborted(options.signal);
        return await attempt(urlOf(settings.baseUrl, request), init, retry + 1, options);
      } catch (failure) {
        const delayMs = retryDelayMs(failure, repeatable, retry, policy);
        if (delayMs === undefined) throw failure;
        await settings.wait(delayMs, options.signal);
      }
  };
};
