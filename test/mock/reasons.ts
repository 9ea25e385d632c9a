import type { SentRequest } from '../support/openapi.ts';

/** A request of a test and the service's response. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly text: string;
  readonly sent: SentRequest;
}

/** What a mock cannot know, by status of the service. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'the keys that exist',
  403: 'the rights of a key, and plan, status and limit of its account',
  404: 'the records that exist',
  409: 'the state of a record, and requests under way',
  422: 'the bodies that were sent with an Idempotency-Key before',
  429: 'the requests of the last minute',
  503: 'the settings of an account',
};

/** What no schema can say, by code of a 400. */
const byCode: Readonly<Record<string, string>> = {
  invalid_cursor: 'the cursors that the service returned',
  conflicting_filters: 'filters that exclude each other',
  unsupported_filter_sort_combination: 'filters that exclude each other',
  customer_not_found: 'the records that exist',
  invalid_idempotency_key: 'an empty header, which the mock takes for none',
  invalid_json: 'a text that is no JSON, which the mock is handed as a text',
  invalid_value: 'a rule that the description says and a schema cannot: dates, references, sums, sizes',
};

/** What the service accepts beyond the document, because a client should not send it. */
const lenient: readonly (readonly [reason: string, is: (exchange: Exchange, message: string) => boolean])[] = [
  [
    'a `limit` that is no whole number, in place of which the service takes one',
    (_, message) => message.includes('query parameter limit must be integer'),
  ],
  ['tags that are no list, in place of which the service stores none', (_, message) => message.includes('property tags must be array')],
  ['white space around a value', ({ sent }) => /, |%20|^\ufeff|" | "|\t/.test(`${sent.search}${sent.body ?? ''}`)],
  ['a plus sign of an offset that was not encoded', ({ sent }) => /T[\d:]+\+\d/.test(sent.search)],
  ['an address that browsers repair, for example with backslashes', (_, message) => message.includes('must match format "uri-template"')],
  [
    'a method of payment that is no text, which the service stores as `other`',
    (_, message) => /payments\.\d+\.method must be/.test(message),
  ],
  ['a body of a request that needs none', (_, message) => message.includes('non-empty body')],
  ['the spelling of Bearer', ({ sent }) => !sent.headers['authorization']?.startsWith('Bearer ')],
];

const codeOf = (text: string): string => {
  try {
    return JSON.parse(text).error.code;
  } catch {
    return '';
  }
};

/** Returns why the mock may differ from the service; undefined if the document is wrong. */
export const reasonOf = (exchange: Exchange, mock: { readonly status: number; readonly message: string }): string | undefined => {
  const { status, text, method } = exchange;
  if (status >= 500 && status !== 503) return 'a fault that the test makes';
  if (method === 'OPTIONS') return 'preflights, which the document lists nowhere';
  if (status >= 400) return mock.status < 400 ? (byStatus[status] ?? byCode[codeOf(text)]) : undefined;
  return lenient.find(([, is]) => is(exchange, mock.message))?.[0];
};
