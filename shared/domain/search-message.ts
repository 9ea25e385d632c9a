import { type FormatVersions, openFormat } from '../core/format-version.ts';

/** What a message on the search queue asks for: one product's current state to its account's collection. */
export interface SearchMessage {
  readonly account: string;
  readonly product: string;
}

/** Version 1 is read for good: dead letters are kept for 14 days and redriven by hand. */
export const searchMessageVersions: FormatVersions = { written: 1, readable: [1] };

/** A reader that does not know its version leaves the message to the dead-letter queue. */
export const encodeSearchMessage = ({ account, product }: SearchMessage): string =>
  JSON.stringify({ v: searchMessageVersions.written, account, product });

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Undefined for anything that is no message of a readable version. */
export const decodeSearchMessage = (text: string): SearchMessage | undefined => {
  const { account, product } = openFormat(text, searchMessageVersions);
  return isId(account) && isId(product) ? { account, product } : undefined;
};
