import { serve } from '../support/serve.ts';

/** A shop's website on its own origin. Its script calls the service with a publishable key. */
export interface Storefront {
  readonly origin: string;
  /** Requested paths, in order. */
  readonly visits: string[];
  stop(): Promise<void>;
}

const document = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1></main></body></html>`;

export const startStorefront = async (): Promise<Storefront> => {
  const visits: string[] = [];
  const { url, stop } = await serve((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(document(request.url === '/thanks' ? 'Thanks' : 'Shop'));
  });
  return { origin: url, visits, stop };
};
