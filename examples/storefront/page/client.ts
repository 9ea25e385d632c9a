import { ApiError, createClient } from '../../../clients/typescript/src/index.ts';

export const client = createClient((await (await fetch('/config.json')).json()) as { baseUrl: string; apiKey: string });

/**
 * Returns words for errors that a shopper can correct. Prices and total always come from the
 * service.
 */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'The bakery cannot be reached just now. Please try again.';
  if (error.code === 'not_found') return 'We do not sell this any more.';
  if (error.field === 'success_url') return 'Checkout comes back to this page only with: npm start -- --allow-loopback-webhooks';
  if (error.code === 'limit_reached') return 'The bakery takes no more orders this month.';
  return error.message.replace(/^\d+ \S+ /, '');
};
