import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ApiCall {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ApiResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Is sent as JSON. */
  readonly body?: unknown;
  /** Is sent unchanged instead of `body`. */
  readonly text?: string;
}

/** A loopback server with scripted responses of an AWS API. It repeats the last one. */
export interface ApiServer {
  readonly endpoint: string;
  readonly calls: readonly ApiCall[];
  script(...responses: ApiResponse[]): void;
  stop(): Promise<void>;
}

export const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' };

export const startApiServer = async (): Promise<ApiServer> => {
  const calls: ApiCall[] = [];
  let responses: ApiResponse[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    calls.push({ method, url, headers, body: text });
    const {
      status = 200,
      headers: extra = {},
      body = {},
      text: sent = JSON.stringify(body),
    } = (responses.length > 1 ? responses.shift() : responses[0]) ?? {};
    response.writeHead(status, { 'content-type': 'application/json', ...extra }).end(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    script: (...next) => {
      calls.length = 0;
      responses = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
