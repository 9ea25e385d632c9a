import { createHmac, timingSafeEqual } from 'node:crypto';
import { storefrontFilter } from '../../shared/domain/product/search.ts';

/** An answer in Typesense's error shape, `{ message }`. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** For what the engine would do and this one does not. */
export const beyondStandIn = (what: string): Refused => new Refused(400, `This is a stand-in of Typesense for trying things out: ${what}`);

const digestLength = 44;
const prefixLength = 4;

const forbidden = (why = 'a valid `x-typesense-api-key` header must be sent.'): Refused => new Refused(401, `Forbidden - ${why}`);

/** The parameters that the key holds every search to; throws 401 where it was not made of this search key, letter for letter. */
const parametersOf = (key: string, searchKey: string): Readonly<Record<string, unknown>> => {
  const text = Buffer.from(key, 'base64').toString();
  const parameters = text.slice(digestLength + prefixLength);
  const digest = createHmac('sha256', searchKey).update(parameters).digest('base64');
  const [given, made] = [text, digest + searchKey.slice(0, prefixLength) + parameters].map((one) => Buffer.from(one));
  if (!given || !made || given.length !== made.length || !timingSafeEqual(given, made)) throw forbidden();
  try {
    return Object(JSON.parse(parameters));
  } catch {
    throw forbidden();
  }
};

/**
 * The account whose storefront a scoped key may search, judged as Typesense judges one: base64 of an HMAC-SHA256 by the search key,
 * the first characters of that key, and the parameters as JSON. Throws 401 where it is forged or expired.
 */
export const accountOf = (key: string, searchKey: string, nowMs: number): string => {
  const { filter_by, expires_at, ...others } = parametersOf(key, searchKey);
  if (typeof expires_at === 'number' && expires_at * 1000 <= nowMs)
    throw forbidden('the key has expired: ask POST /products/search-token for another.');
  const [, account = ''] = /^account:=(\w+) /.exec(String(filter_by)) ?? [];
  if (filter_by !== storefrontFilter(account) || Object.keys(others).length > 0)
    throw beyondStandIn('it takes keys from POST /products/search-token, which find the storefront of one account.');
  return account;
};
