/** Name of the variable with the address of stripe-mock, in `npm run test:stripe` only. */
export const mockAddress = 'STRIPE_MOCK';

/** A request to Stripe, with its path and query. */
export interface StripeRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** Stripe as its own description of the API says that it is. */
export interface StripeMock {
  /** Returns Stripe's error if the request has a wrong path or parameter; otherwise undefined. */
  rejectionOf(request: StripeRequest): Promise<object | undefined>;
  /** A paid session of Stripe Checkout, with its payment, charge and fee. */
  readonly session: any;
  readonly event: any;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the fixture with the given values. Objects are merged. */
export const onto = (fixture: unknown, values: unknown): any => {
  if (!isObject(fixture) || !isObject(values)) return values;
  return { ...fixture, ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, onto(fixture[name], value)])) };
};

/** Connects to stripe-mock. Returns undefined in any other suite than `npm run test:stripe`. */
export const connectMock = async (address = process.env[mockAddress]): Promise<StripeMock | undefined> => {
  if (address === undefined) return undefined;
  const send = async ({ method, path, body }: StripeRequest) => {
    // It accepts any test key, and does not know the accounts of the stand-in.
    const headers = { authorization: 'Bearer sk_test_123', 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${address}${path}`, { method, headers, ...(method === 'POST' ? { body } : {}) });
    return { status: response.status, body: (await response.json()) as any };
  };
  const fixture = async (path: string) => (await send({ method: 'GET', path, body: '' })).body;
  return {
    async rejectionOf(request) {
      const { status, body } = await send(request);
      return status === 200 ? undefined : body.error;
    },
    session: await fixture('/v1/checkout/sessions/cs_1?expand[]=payment_intent.latest_charge.balance_transaction'),
    event: await fixture('/v1/events/evt_1'),
  };
};
