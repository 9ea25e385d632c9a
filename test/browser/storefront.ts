import { once } from 'node:events';
import { createServer } from 'node:http';

/** A shop's own web site: an origin of its own, whose script talks to the service with a publishable key. */
export interface Storefront {
  readonly origin: string;
  /** Paths that were asked for. */
  readonly visits: string[];
  close(): void;
}

const document = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1></main></body></html>`;

export const startStorefront = async (): Promise<Storefront> => {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(document(request.url === '/thanks' ? 'Thanks' : 'Shop'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The storefront has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    visits,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
