import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { checkoutPage } from '../../functions/checkout-page/app.ts';
import type { CheckoutPageServices } from '../../functions/checkout-page/visit.ts';
import { createRouter } from '../../local/gateway/routing.ts';
import { checkoutPageGroup } from '../../local/groups.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { openShop, type Shop } from '../checkout/shop.ts';
import { context } from '../support/context.ts';
import { secretsOf } from '../support/secrets.ts';
import type { World } from '../support/world.ts';

export const origin = 'https://us.api.example.com';
export const approveCard = '4242 4242 4242 4242';
export const declineCard = '4000 0000 0000 0002';
export const pendingCard = '4000-0000-0000-3220';
export const successUrl = 'https://shop.example.com/thanks';

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface VisitOptions {
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns after how many seconds a browser without scripts loads which URL, for example `15; url=/checkout/…`. */
export const refreshOf = ({ text }: PageResponse): string | undefined =>
  /<noscript><meta http-equiv="refresh" content="([^"]+)"><\/noscript>/.exec(text)?.[1];

export type Visitor = (method: 'GET' | 'POST', path: string, options?: VisitOptions) => Promise<PageResponse>;

/** The response of the page's function to a browser or a payment gateway. */
export const visitor = (world: World, services: Partial<CheckoutPageServices> = {}, invocation: Context = context): Visitor => {
  const handler = checkoutPage({ ...world.services, secrets: secretsOf(), ...services });
  const route = createRouter([{ routeKeys: checkoutPageGroup.routeKeys, target: true }]);
  return async (method, path, { form, body, headers = {} } = {}) => {
    const match = route(method, path);
    const text = body ?? (form && new URLSearchParams(form).toString());
    const {
      statusCode = 0,
      headers: sent,
      body: responseText = '',
    } = await handler(
      {
        routeKey: match?.routeKey ?? '$default',
        rawPath: path,
        pathParameters: match?.pathParameters,
        headers: { host: 'us.api.example.com', ...headers },
        requestContext: { requestId: randomUUID() },
        // The gateway forwards a body that is not JSON as base64.
        ...(text === undefined ? { isBase64Encoded: false } : { body: Buffer.from(text).toString('base64'), isBase64Encoded: true }),
      } as unknown as APIGatewayProxyEventV2,
      invocation,
    );
    return { status: statusCode, headers: sent as Record<string, string>, text: responseText };
  };
};

/** An open session of a shop, and its page. */
export interface Counter {
  readonly shop: Shop;
  readonly id: string;
  readonly path: string;
  readonly token: string;
  readonly visit: Visitor;
  session(): Promise<CheckoutSession>;
  pay(card: string, form?: Readonly<Record<string, string>>): Promise<PageResponse>;
  /** The bank's decision on a pending payment. */
  decide(decision: 'approve' | 'decline', form?: Readonly<Record<string, string>>): Promise<PageResponse>;
  /** Ids and fields of every record that a payment creates. */
  made(): Promise<{ orders: any[]; payments: any[] }>;
}

export const ada = { first_name: 'Ada', last_name: 'Baker', email: 'Ada@example.com' };

export const openCounter = async (
  world: World,
  {
    shop: existingShop,
    fields = {},
    services,
  }: { shop?: Shop; fields?: Record<string, unknown>; services?: Partial<CheckoutPageServices> } = {},
): Promise<Counter> => {
  const shop = existingShop ?? (await openShop(world));
  const { body } = await shop.open({ customer: ada, ...fields });
  const account = shop.account.id;
  const session = async () => {
    const stored = await world.store.checkoutSessions.get(account, body.id);
    if (!stored) throw new Error('The session is gone.');
    return stored.record;
  };
  const { token } = await session();
  const visit = visitor(world, services);
  const path = `/checkout/${account}/${body.id}`;
  return {
    shop,
    id: body.id,
    path,
    token,
    visit,
    session,
    pay: (card_number, form = {}) =>
      visit('POST', `${path}/pay`, { form: { token, card_number, ...form }, headers: { origin, 'sec-fetch-site': 'same-origin' } }),
    async decide(decision, form = {}) {
      const transaction_id = (await session()).payment?.transaction_id ?? '';
      return visit('POST', `/checkout/${account}/notices/sandbox`, {
        form: { session: body.id, token, transaction_id, answer: decision, ...form },
      });
    },
    async made() {
      const { records } = await world.store.orders.list(account, { sort: 'createdAt' }, { limit: 100 });
      const payments = (await Promise.all(records.map(({ id }) => world.store.payments.ofOrder(account, id)))).flat();
      return { orders: [...records], payments };
    },
  };
};
