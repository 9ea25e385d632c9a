import { ApiError, createClient } from '../../../clients/typescript/src/index.ts';

const config = (await (await fetch('/config.json')).json()) as {
  name: string;
  address: string | null;
  client: { baseUrl: string; apiKey: string };
};

/** The shop's name, as its checkout shows it. */
export const shopName = config.name;
/** Where orders are picked up; null if it is not known. */
export const shopAddress = config.address;
export const client = createClient(config.client);

/**
 * Returns words for errors that a shopper can correct. Prices and total always come from the
 * service.
 */
export const sentenceOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'The bakery cannot be reached just now. Please try again.';
  if (error.code === 'not_found') return 'We do not sell this any more.';
  if (error.field === 'success_url') {
    console.error('The service rejects return URLs on this machine. Start it with: npm start -- --allow-loopback-webhooks');
    return 'The checkout is closed at the moment. Please call the bakery to order.';
  }
  if (error.code === 'limit_reached') return 'The bakery takes no more orders this month.';
  return error.message.replace(/^\d+ \S+ /, '');
};
