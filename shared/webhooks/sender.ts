import { ADDRCONFIG } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions as SecureRequestOptions } from 'node:https';
import type { LookupFunction, Socket, TcpNetConnectOpts } from 'node:net';
import { cutText } from '../core/text.ts';
import { isAcceptableAddress } from './addresses.ts';
import { type AttemptResult, invalidUrl, noResponse, resultOfStatus } from './outcome.ts';
import type { DeliveryPolicy } from './policy.ts';
import { type RawBody, readableBody } from './response-body.ts';
import { createStatusReader } from './status-line.ts';
import { judgeUrl } from './url-rules.ts';

/** A request to send. */
export interface Delivery {
  readonly url: string;
  /** POST if absent. */
  readonly method?: 'POST' | 'DELETE' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** The exact bytes to send; a string is sent as UTF-8. */
  readonly body: string | Uint8Array;
  /** Also returns the body of a successful response, as far as it is read. */
  readonly wantsBody?: true;
  /** Uses a new connection, so that the request is never repeated. */
  readonly once?: true;
  /**
   * Milliseconds for DNS, connection, TLS and the response's status line together. Reading headers
   * and body takes at most one second more, within the same time.
   */
  readonly timeoutMs: number;
}

export interface Sender {
  /**
   * Sends one request and judges it by the status line of its final response, also if what follows
   * cannot be parsed, is cut off or is too long. Never rejects.
   *
   * - A URL that breaks the text rules gives `invalid_url`.
   * - A name without an acceptable address gives `no_response`, and no connection is made.
   * - A receiver that sends 64 KiB, more than ten interim responses (1xx) or repeated handshakes
   *   without a whole final status line gives `no_response`.
   * - If a kept-alive connection ends before the first byte, the request is repeated once on a new
   *   one, within the same time.
   */
  send(delivery: Delivery): Promise<AttemptResult>;
  /** Closes every connection, idle or in use. */
  close(): void;
}

/** Returns every IP address of a host name. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** Clock and timers of a connection. Tests pass their own. */
export interface WireTime {
  now(): number;
  setTimeout(then: () => void, ms: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

export interface SenderOptions {
  readonly policy: DeliveryPolicy;
  readonly lookup?: Lookup;
  /** PEM of the only certificate authority to trust, for tests. */
  readonly ca?: string;
  /** The machine's clock and timers if absent. */
  readonly time?: WireTime;
}

/**
 * Maximum bytes that a receiver may send for one request: status lines, headers, interim responses,
 * framing, bodies and trailers.
 */
const maxResponseBytes = 64 * 1024;
const maxInterimResponses = 10;
/**
 * Maximum number of TLS handshakes and session tickets, which are not counted as bytes of the
 * response. One handshake and two tickets are usual.
 */
const maxHandshakes = 10;
/**
 * Time to read headers and body. They do not affect the outcome: they are read so that the
 * connection can be reused, and the beginning of the body is stored after a failure.
 */
const maxDrainMs = 1_000;
/** Bytes of a failed attempt's response that are stored for the delivery log. */
const storedBodyBytes = 1_000;
/** Bytes of a compressed response that are read for them. A block of zstd has up to 128 KB. */
const compressedBytes = 32 * 1024;
const storedTypeLength = 100;
/**
 * Error codes of a connection that was closed during the request. A response that cannot be parsed
 * has other codes.
 */
const hangUps: readonly unknown[] = ['ECONNRESET', 'EPIPE'];
/** Below the idle time after which common servers hang up (Node: 5 s). */
const idleSocketMs = 4_000;
/**
 * Milliseconds to connect to each address of a name. Node's default of 250 ms is too short for
 * hosts on the other side of the world.
 */
const connectAddressMs = 2_000;

const systemLookup: Lookup = (hostname) => resolveName(hostname, { all: true, hints: ADDRCONFIG });

/**
 * Checks the addresses that a name resolves to. The connection uses the checked address, without a
 * second lookup.
 */
const guardedLookup =
  (lookup: Lookup, policy: DeliveryPolicy): LookupFunction =>
  (hostname, _options, callback) => {
    lookup(hostname).then(
      (found) => {
        const addresses = found
          .map(({ address, family }) => ({ address, family }))
          .filter(({ address }) => isAcceptableAddress(address, policy));
        callback(addresses.length > 0 ? null : new Error('The name resolves to no address that a delivery may reach.'), addresses);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/** Opens the request on a new connection or, if `fresh` is false, on one that the agent kept. */
type Open = (fresh: boolean) => ClientRequest;

/** Events of a socket on which a receiver sends: bytes, a TLS handshake, a session ticket. */
const incomingEvents = ['data', 'secure', 'session'];

/**
 * Closes an idle connection on which the receiver sends anything. Those bytes must not count as the
 * next response or keep the process busy.
 */
function hangUp(this: Socket): void {
  this.destroy();
}
const silentWhenIdle = <Pool extends HttpAgent>(agent: Pool): Pool => {
  agent.on('free', (socket: Socket) => {
    for (const event of incomingEvents) socket.on(event, hangUp);
  });
  return agent;
};

/** Returns a function that calls `end` if it is called more than `max` times. */
const afterCalls = (max: number, end: () => void): (() => void) => {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen > max) end();
  };
};

/** Calls `keep` with the beginning of the body, each time it grows. */
const keepBeginning = (response: IncomingMessage, maxBytes: number, keep: (raw: RawBody) => void): void => {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = response.headers;
  const max = contentEncoding === undefined ? maxBytes : Math.max(maxBytes, compressedBytes);
  let raw: RawBody = { contentType, contentEncoding, bytes: Buffer.alloc(0) };
  keep(raw);
  response.on('data', (chunk: Buffer) => {
    if (raw.bytes.length === max) return;
    raw = { ...raw, bytes: Buffer.concat([raw.bytes, chunk]).subarray(0, max) };
    keep(raw);
  });
};

/**
 * Calls `found` with the status of the final response, and `end` if the receiver sends too much.
 * Returns a function that returns the bytes received so far.
 */
const readConnection = (request: ClientRequest, found: (status: number) => void, end: () => void): (() => number) => {
  let bytes = 0;
  const readStatus = createStatusReader(found);
  request.once('socket', (socket) => {
    for (const event of incomingEvents) socket.off(event, hangUp);
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      readStatus(chunk);
      if (bytes > maxResponseBytes) end();
    };
    const handshake = afterCalls(maxHandshakes, end);
    // Reads before the parser, so that bytes count even if the parser rejects them.
    socket.prependListener('data', count).on('secure', handshake).on('session', handshake);
    request.once('close', () => socket.off('data', count).off('secure', handshake).off('session', handshake));
  });
  request.on('information', afterCalls(maxInterimResponses, end));
  return () => bytes;
};

/**
 * Sends the request. Resolves once: after the final response, a second after its status line, at a
 * failure, or at the deadline.
 */
const exchange = (
  open: Open,
  { body, timeoutMs, wantsBody }: Pick<Delivery, 'body' | 'timeoutMs' | 'wantsBody'>,
  time: WireTime,
): Promise<{ readonly result: AttemptResult; readonly raw: RawBody | undefined }> =>
  new Promise((resolve) => {
    const startedAtMs = time.now();
    let result = noResponse;
    let raw: RawBody | undefined;
    let settled = false;
    let abandon = (): void => {};
    let drainEnd: NodeJS.Timeout | undefined;

    const settle = (): void => {
      if (settled) return;
      settled = true;
      time.clearTimeout(deadline);
      time.clearTimeout(drainEnd);
      abandon();
      resolve({ result, raw });
    };
    const deadline = time.setTimeout(settle, timeoutMs);

    const judge = (status: number): void => {
      result = resultOfStatus(status, Math.round(time.now() - startedAtMs));
      drainEnd = time.setTimeout(settle, maxDrainMs);
    };

    const keep = (beginning: RawBody): void => {
      raw = beginning;
    };

    const drain = (request: ClientRequest, response: IncomingMessage): void => {
      if (wantsBody) keepBeginning(response, maxResponseBytes, keep);
      else if (result.statusCode !== null && !result.success) keepBeginning(response, storedBodyBytes, keep);
      response.resume();
      response.once('close', () => {
        // A finished socket returns to the agent. One that is still being written to
        // might never.
        if (response.complete && request.writableFinished) abandon = () => {};
        settle();
      });
    };

    const start = (fresh: boolean): void => {
      const request = open(fresh);
      abandon = () => request.destroy();
      const bytes = readConnection(request, judge, settle);
      request.once('response', (response) => drain(request, response));
      request.once('upgrade', settle);
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (settled) return;
        if (request.reusedSocket && bytes() === 0 && hangUps.includes(error.code)) start(true);
        else settle();
      });
      request.end(body);
    };

    try {
      start(false);
    } catch {
      settle(); // HTTP cannot carry a header of this request
    }
  });

/** Creates the sender, which sends all deliveries and search documents (docs/architecture.md). */
export const createSender = ({
  policy,
  lookup = systemLookup,
  ca,
  time = { now: () => performance.now(), setTimeout, clearTimeout },
}: SenderOptions): Sender => {
  const pooling = { keepAlive: true, timeout: idleSocketMs };
  const secure = { agent: silentWhenIdle(new HttpsAgent(pooling)), request: httpsRequest };
  const plain = { agent: silentWhenIdle(new HttpAgent(pooling)), request: httpRequest };
  const common: SecureRequestOptions & Pick<TcpNetConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> = {
    lookup: guardedLookup(lookup, policy),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectAddressMs,
    maxHeaderSize: maxResponseBytes,
    // Real servers fold headers or end lines with LF. The status is read from the bytes, and idle
    // connections end if the receiver sends anything.
    insecureHTTPParser: true,
    rejectUnauthorized: true, // even if NODE_TLS_REJECT_UNAUTHORIZED is 0
    ...(ca === undefined ? {} : { ca }),
  };

  return {
    async send({ url, method = 'POST', headers, body, once = false, timeoutMs, wantsBody }) {
      const judged = judgeUrl(url, policy);
      if (!judged.ok) return invalidUrl;
      const { agent, request } = judged.url.protocol === 'https:' ? secure : plain;
      const withLength = { ...headers, 'Content-Length': Buffer.byteLength(body) };
      const open: Open = (fresh) => request(judged.url, { ...common, method, headers: withLength, agent: fresh || once ? false : agent });
      const { result, raw } = await exchange(open, { body, timeoutMs, ...(wantsBody && { wantsBody }) }, time);
      if (!raw) return result;
      const contentType = raw.contentType === undefined ? null : cutText(raw.contentType, storedTypeLength);
      return {
        ...result,
        receiverResponse: { contentType, body: await readableBody(raw, wantsBody ? maxResponseBytes : storedBodyBytes) },
      };
    },
    close() {
      secure.agent.destroy();
      plain.agent.destroy();
    },
  };
};
