import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/core/clock.ts';
import type { Region } from '../../shared/core/regions.ts';

type Line = Readonly<Record<string, unknown>>;

/** Maximum bytes to buffer for a slow or dead reader. */
const longestBacklog = 1_000_000;

/** The log lines of requests as they are written, for `ops tail`. */
export interface RequestFeed {
  /** Takes every line of the region's log. */
  tell(region: Region, line: Line): void;
  /**
   * Sends the lines of an account's requests from now on, one JSON document per line, until the
   * caller disconnects.
   */
  follow(region: Region, account: string, request: IncomingMessage, response: ServerResponse): void;
  /** Ends all responses. */
  end(): void;
}

export const createRequestFeed = ({ clock }: { readonly clock: Clock }): RequestFeed => {
  const followers = new Map<ServerResponse, { readonly region: Region; readonly account: string }>();
  return {
    tell(region, line) {
      // Only lines of the API and of the hosted page have a request id and an account.
      if (followers.size === 0 || line['rid'] === undefined) return;
      for (const [response, wanted] of followers) {
        if (wanted.region !== region || wanted.account !== line['account']) continue;
        response.write(`${JSON.stringify({ time: clock.now(), ...line })}\n`);
        if (response.writableLength > longestBacklog) response.destroy();
      }
    },
    follow(region, account, request, response) {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }).flushHeaders();
      followers.set(response, { region, account });
      response.once('close', () => followers.delete(response));
    },
    end() {
      for (const response of followers.keys()) response.end();
    },
  };
};
