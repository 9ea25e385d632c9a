import { ApiError, createClient, type Product, type ResponseInfo } from '../../../clients/typescript/src/index.ts';
import { find, texts } from './elements.ts';

const config = (await (await fetch('/config.json')).json()) as {
  name: string;
  address: string | null;
  client: { baseUrl: string; apiKey: string };
};

/** The shop's name, as its checkout shows it. */
export const shopName = config.name;
/** Where orders are picked up; null if it is not known. */
export const shopAddress = config.address;

const maxRetries = 4;
/** URLs of the requests that wait, because too many came from the shopper's address. */
const waiting = new Set<string>();
const showWait = ({ url, status, attempt }: ResponseInfo): void => {
  if (status === 429 && attempt <= maxRetries) waiting.add(url);
  else waiting.delete(url);
  const text = waiting.size > 0 ? texts.wait : '';
  find('#wait').textContent = text;
};
export const client = createClient({ ...config.client, maxRetries, onResponse: showWait });

const minuteMs = 60_000;

/**
 * Reads something at most once a minute in a tab. All shoppers behind one address share the
 * service's limit of 120 requests a minute.
 */
export const readOnce = async <Value>(name: string, read: () => Promise<Value>): Promise<Value> => {
  const stored = JSON.parse(sessionStorage.getItem(name) ?? '{}') as { value?: Value; until?: number };
  if (stored.value !== undefined && Date.now() < (stored.until ?? 0)) return stored.value;
  const value = await read();
  try {
    sessionStorage.setItem(name, JSON.stringify({ value, until: Date.now() + minuteMs }));
  } catch {
    // A list that is too large for the tab is read each time.
  }
  return value;
};

export const readProduct = (id: string): Promise<Product> => readOnce(`product ${id}`, () => client.products.retrieve(id));

/**
 * Returns words for errors that a shopper can correct. The service's own messages are English, and go to
 * the console, for developers.
 */
export const sentenceOf = (error: unknown): string => {
  const { errors } = texts;
  const { status = 500, code, field } = error instanceof ApiError ? error : {};
  const isRejected = field === 'success_url';
  console.error(
    isRejected ? 'The service rejects return URLs on this machine. Start it with: npm start -- --allow-loopback-webhooks' : error,
  );
  if (isRejected) return errors.closed;
  if (code === 'limit_reached') return errors.limit;
  if (field === 'delivery_date' || field === 'delivery_time') return errors.time;
  return status < 500 && status !== 429 ? errors.order : `${errors.away}. ${errors.awayAbout}`;
};
