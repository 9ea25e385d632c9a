import { ADDRCONFIG } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions as SecureRequestOptions } from 'node:https';
import type { LookupFunction, Socket, TcpNetConnectOpts } from 'node:net';
import type { Answer } from '../domain/webhook/record.ts';
import { isAcceptableAddress } from './addresses.ts';
import { type AttemptResult, answered, noResponse, refusedUrl } from './outcome.ts';
import type { DeliveryPolicy } from './policy.ts';
import { judgeUrl } from './url-rules.ts';

/** One delivery as it goes over the wire. */
export interface Delivery {
  readonly url: string;
  /** POST where absent. */
  readonly method?: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** Sent byte for byte; a string as UTF-8. */
  readonly body: string | Uint8Array;
  /** On a connection of its own, so that it is sent once whatever happens to it. */
  readonly once?: true;
  /**
   * Total: DNS, connection, TLS and the response's headers. A body gets a second more at most,
   * within the same time.
   */
  readonly timeoutMs: number;
}

export interface Sender {
  /**
   * Sends one request and judges it by the status line of its final response. Never rejects.
   *
   * - A URL that breaks the text rules gives `invalid_url`.
   * - A name without an acceptable address gives `no_response`, and no connection is made.
   * - A receiver that sends 64 KiB, more than ten interim responses (1xx) or repeated handshakes
   *   without a final response gives `no_response`.
   * - If a kept-alive connection ends before the first byte, the request is repeated once on a new
   *   one, within the same time.
   */
  send(delivery: Delivery): Promise<AttemptResult>;
  /** Ends every connection, kept alive or in use. */
  close(): void;
}

/** Every address of a name. */
export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** Time on the wire, which a test may decide. */
export interface WireTime {
  now(): number;
  setTimeout(then: () => void, ms: number): NodeJS.Timeout;
  clearTimeout(timer: NodeJS.Timeout | undefined): void;
}

export interface SenderOptions {
  readonly policy: DeliveryPolicy;
  readonly lookup?: Lookup;
  /** PEM of the only authority to trust, instead of the public ones: for tests. */
  readonly ca?: string;
  /** The machine's own by default. */
  readonly time?: WireTime;
}

/**
 * Everything that comes back over the connection for one request: status lines, headers, interim
 * responses, framing, bodies, trailers.
 */
const maxResponseBytes = 64 * 1024;
const maxResponseHeaderBytes = 16 * 1024;
const maxInterimResponses = 10;
/**
 * Handshakes and session tickets: one and two or so are usual, and none is a byte of the response.
 */
const maxHandshakes = 10;
/**
 * The body decides nothing. It is read so that the connection can be reused, and its beginning
 * explains a failure.
 */
const maxDrainMs = 1_000;
/** Bytes of a failed attempt's response that are stored for the reader of the delivery log. */
const keptBodyBytes = 1_000;
const keptTypeLength = 100;
/**
 * How a connection ends that was closed while the request was on its way; what cannot be parsed has
 * other codes.
 */
const hangUps: readonly unknown[] = ['ECONNRESET', 'EPIPE'];
/** Below the idle time after which common servers hang up (Node: 5 s). */
const idleSocketMs = 4_000;
/**
 * Node's 250 ms for each address of a name but the last would give up on healthy hosts on the other
 * side of the world.
 */
const connectAddressMs = 2_000;

const systemLookup: Lookup = (hostname) => resolveName(hostname, { all: true, hints: ADDRCONFIG });

/** The connection uses the address that was checked here; no second lookup follows. */
const guardedLookup =
  (lookup: Lookup, policy: DeliveryPolicy): LookupFunction =>
  (hostname, _options, callback) => {
    lookup(hostname).then(
      (found) => {
        const addresses = found
          .map(({ address, family }) => ({ address, family }))
          .filter(({ address }) => isAcceptableAddress(address, policy));
        callback(addresses.length > 0 ? null : new Error('The name resolves to no address a delivery may reach.'), addresses);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

/** Opens the request, on a fresh connection or on whatever the agent has. */
type Open = (fresh: boolean) => ClientRequest;

/** Bytes of a response; a handshake, or another one; a session ticket. */
const whatIsSaid = ['data', 'secure', 'session'];

/**
 * Whatever an idle connection says was not asked for: it must neither pass for the next answer nor
 * keep the process busy.
 */
function hangUp(this: Socket): void {
  this.destroy();
}
const silentWhenIdle = <Pool extends HttpAgent>(agent: Pool): Pool => {
  agent.on('free', (socket: Socket) => {
    for (const event of whatIsSaid) socket.on(event, hangUp);
  });
  return agent;
};

/** Returns a function that calls `end` if it is called more than `most` times. */
const atMost = (most: number, end: () => void): (() => void) => {
  let seen = 0;
  return () => {
    seen += 1;
    if (seen > most) end();
  };
};

/** Passes the beginning of the body on, as it grows. */
const keepBeginning = (response: IncomingMessage, keep: (answer: Answer) => void): void => {
  let answer: Answer = { contentType: response.headers['content-type']?.slice(0, keptTypeLength) ?? null, body: Buffer.alloc(0) };
  keep(answer);
  response.on('data', (chunk: Buffer) => {
    if (answer.body.length === keptBodyBytes) return;
    answer = { ...answer, body: Buffer.concat([answer.body, chunk]).subarray(0, keptBodyBytes) };
    keep(answer);
  });
};

/** Calls `end` if the receiver sends too much. Returns a function that gives the bytes so far. */
const boundConnection = (request: ClientRequest, end: () => void): (() => number) => {
  let bytes = 0;
  request.once('socket', (socket) => {
    for (const event of whatIsSaid) socket.off(event, hangUp);
    const count = (chunk: Uint8Array): void => {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) end();
    };
    const handshake = atMost(maxHandshakes, end);
    // Before the parser, so that bytes count even if it cannot read them.
    socket.prependListener('data', count).on('secure', handshake).on('session', handshake);
    request.once('close', () => socket.off('data', count).off('secure', handshake).off('session', handshake));
  });
  request.on('information', atMost(maxInterimResponses, end));
  return () => bytes;
};

/**
 * Settles once: soon after the final response's headers, at the attempt's failure, or at the
 * deadline.
 */
const exchange = (open: Open, body: string | Uint8Array, timeoutMs: number, time: WireTime): Promise<AttemptResult> =>
  new Promise((resolve) => {
    const startedAtMs = time.now();
    let result = noResponse;
    let settled = false;
    let abandon = (): void => {};
    let drainEnd: NodeJS.Timeout | undefined;

    const settle = (): void => {
      if (settled) return;
      settled = true;
      time.clearTimeout(deadline);
      time.clearTimeout(drainEnd);
      abandon();
      resolve(result);
    };
    const deadline = time.setTimeout(settle, timeoutMs);

    const judge = (response: IncomingMessage): void => {
      result = answered(response.statusCode ?? 0, Math.round(time.now() - startedAtMs));
    };

    const keep = (answer: Answer): void => {
      result = { ...result, answer };
    };

    const drain = (request: ClientRequest, response: IncomingMessage): void => {
      drainEnd = time.setTimeout(settle, maxDrainMs);
      if (!result.success) keepBeginning(response, keep);
      response.resume();
      response.once('close', () => {
        // Left alone, the socket returns to the agent; one that is still being written to might
        // never.
        if (response.complete && request.writableFinished) abandon = () => {};
        settle();
      });
    };

    const start = (fresh: boolean): void => {
      const request = open(fresh);
      abandon = () => request.destroy();
      const bytes = boundConnection(request, settle);
      request.once('response', (response) => {
        judge(response);
        drain(request, response);
      });
      request.once('upgrade', (response) => {
        judge(response); // 101 is the one 1xx that nothing follows
        settle();
      });
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
      settle(); // a header that HTTP cannot carry
    }
  });

/** The one socket through which deliveries and search documents leave (docs/architecture.md). */
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
    maxHeaderSize: maxResponseHeaderBytes,
    rejectUnauthorized: true, // also where NODE_TLS_REJECT_UNAUTHORIZED says otherwise
    ...(ca === undefined ? {} : { ca }),
  };

  return {
    async send({ url, method = 'POST', headers, body, once = false, timeoutMs }) {
      const judged = judgeUrl(url, policy);
      if (!judged.ok) return refusedUrl;
      const { agent, request } = judged.url.protocol === 'https:' ? secure : plain;
      const withLength = { ...headers, 'Content-Length': Buffer.byteLength(body) };
      const open: Open = (fresh) => request(judged.url, { ...common, method, headers: withLength, agent: fresh || once ? false : agent });
      return exchange(open, body, timeoutMs, time);
    },
    close() {
      secure.agent.destroy();
      plain.agent.destroy();
    },
  };
};
