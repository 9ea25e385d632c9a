/** What a message on the search queue asks for: one product's current state to its account's collection. */
export interface SearchMessage {
  readonly account: string;
  readonly product: string;
}

const version = 1;

/** A reader that does not know its version leaves the message to the dead-letter queue. */
export const encodeSearchMessage = ({ account, product }: SearchMessage): string => JSON.stringify({ v: version, account, product });

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Undefined for anything that is no message of this version. */
export const decodeSearchMessage = (text: string): SearchMessage | undefined => {
  try {
    const { v, account, product } = JSON.parse(text) as Record<string, unknown>;
    return v === version && isId(account) && isId(product) ? { account, product } : undefined;
  } catch {
    return undefined;
  }
};
