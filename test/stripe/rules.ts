/** Error of a request, as Stripe returns it. */
export interface Rejection {
  readonly type: 'invalid_request_error' | 'idempotency_error';
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
}

/** A request that Stripe rejects. */
export class RequestRejected extends Error {
  readonly status: number;
  readonly error: Rejection;

  constructor(status: number, error: Omit<Rejection, 'type'> & Partial<Rejection>) {
    super(error.message);
    this.status = status;
    this.error = { type: 'invalid_request_error', ...error };
  }
}

const invalid = (param: string, message: string, code?: string) =>
  new RequestRejected(400, { message, param, ...(code === undefined ? {} : { code }) });

/** Throws unless Stripe takes the amount, in the currency's smallest unit: some currencies have only tens or hundreds of them. */
export const assertAmount = (param: string, amount: number, currency: string): void => {
  const steps: Readonly<Record<string, number>> = { bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10, isk: 100, ugx: 100 };
  const isWhole = Number.isSafeInteger(amount) && amount > 0 && amount % (steps[currency.toLowerCase()] ?? 1) === 0;
  if (!isWhole) throw invalid(param, 'Invalid integer.', 'parameter_invalid_integer');
};

const assertTexts = (form: URLSearchParams): void => {
  const metadata = new Map<string, number>();
  for (const [param, value] of form) {
    const [, block = '', key = ''] = /^(.*\bmetadata\]?)\[(.*)\]$/.exec(param) ?? [];
    if (block !== '') metadata.set(block, (metadata.get(block) ?? 0) + 1);
    if (value === '') throw invalid(param, 'You passed an empty string.', 'parameter_invalid_empty');
    if (key.length > 40 || (block !== '' && value.length > 500)) throw invalid(param, 'Metadata keys have 40 characters, values 500.');
  }
  if (Math.max(0, ...metadata.values()) > 50) throw invalid('metadata', 'Metadata have at most 50 keys.');
  if ((form.get('client_reference_id') ?? '').length > 200) throw invalid('client_reference_id', 'At most 200 characters.');
};

const shortestPageSeconds = 30 * 60;
export const longestPageSeconds = 24 * 3_600;
const largest = 99_999_999;

/** Returns the metadata of a request. */
export const metadataOf = (form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => (name.startsWith('metadata[') ? [[name.slice('metadata['.length, -1), value]] : [])),
  );

/** Smallest amounts by currency, in its smallest unit. */
export type Minima = Readonly<Record<string, number>>;

/** Returns what a new page takes. Throws if Stripe's documented limits reject it. */
export const pageOf = (form: URLSearchParams, nowMs: number, minima: Minima) => {
  assertTexts(form);
  const expires_at = Number(form.get('expires_at') ?? Math.floor(nowMs / 1_000) + longestPageSeconds);
  const remainingSeconds = expires_at - nowMs / 1_000;
  if (!(remainingSeconds >= shortestPageSeconds && remainingSeconds <= longestPageSeconds))
    throw invalid(
      'expires_at',
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
    );
  const price = 'line_items[0][price_data]';
  const amount_total = Number(form.get(`${price}[unit_amount]`));
  const currency = form.get(`${price}[currency]`) ?? '';
  assertAmount(`${price}[unit_amount]`, amount_total, currency);
  if (amount_total < (minima[currency] ?? 1)) throw invalid('line_items', 'The total is too small.', 'amount_too_small');
  if (amount_total > largest) throw invalid('line_items', 'The total is too large.', 'amount_too_large');
  return { client_reference_id: form.get('client_reference_id') ?? '', expires_at, amount_total, currency, metadata: metadataOf(form) };
};
