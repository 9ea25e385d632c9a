import { serve } from '../support/serve.ts';

const document = (title: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body><main><h1>${title}</h1></main></body></html>`;

/** A shop's website on its own origin, and the paths that were requested, in order. */
export const startStorefront = async () => {
  const visits: string[] = [];
  const { url, stop } = await serve((request, response) => {
    visits.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(document(request.url === '/thanks' ? 'Thanks' : 'Shop'));
  });
  return { origin: url, visits, stop };
};
