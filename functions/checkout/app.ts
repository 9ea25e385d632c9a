import { invalidValue } from '../../shared/core/errors.ts';
import { randomText } from '../../shared/core/random.ts';
import { isoFromMs, today } from '../../shared/core/time.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type * as wire from '../../shared/domain/checkout/fields.ts';
import type { CheckoutInput } from '../../shared/domain/checkout/input.ts';
import { returnUrl } from '../../shared/domain/checkout/input.ts';
import { type CheckoutSession, hostedPagePath, makeSession, sessionKey } from '../../shared/domain/checkout/record.ts';
import { assertKnownFields, orderMonth, saleCurrency } from '../../shared/domain/order/rules.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call, OperationsOf } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import type { Services } from '../../shared/services.ts';
import type { Counters } from '../../shared/table/orders.ts';
import { limitReached } from '../../shared/table/orders.ts';
import type { Products } from '../../shared/table/products.ts';
import type { Records } from '../../shared/table/records.ts';
import type { routes } from './routes.ts';

/** In the local service, `policy` allows return URLs with plain HTTP on this machine. */
type CheckoutServices = Pick<Services, 'policy'> &
  ApiServices<{ readonly checkoutSessions: Records<CheckoutSession>; readonly counters: Counters; readonly products: Products }>;

interface Catalog {
  readonly settings: Settings;
  readonly products: ReadonlyMap<string, Product>;
}

/** Returns the response of POST /checkout. `url` is the address of the hosted page. */
export const sessionView = (session: CheckoutSession, url: string): wire.CheckoutSession => ({
  id: session.id,
  url,
  status: session.status,
  currency: session.currency,
  subtotal: session.subtotal,
  delivery_fee: session.delivery_fee,
  total: session.total,
  expires_at: isoFromMs(session.expires_ms),
  created_at: session.created_at,
});

const tokenBytes = 24;

/**
 * Creates a checkout session (§ POST /checkout). Prices, fee and totals come from the catalog and
 * the settings, never from the request.
 */
const createCheckout = ({
  store,
  random,
  newId,
  policy: { allowLoopback },
}: CheckoutServices): Operation<Call<unknown, CheckoutInput>, Catalog> => {
  const assertBelow = async (account: string, month: string, limit: number): Promise<void> => {
    const count = await store.counters.ordersIn(account, month);
    if (count >= limit) throw limitReached(count, limit);
  };
  return {
    async read({ account, body }) {
      const [settings, products] = await Promise.all([
        store.accounts.getSettings(account),
        store.products.getMany(
          account,
          body.items.map(({ product_id }) => product_id),
        ),
      ]);
      return { settings, products };
    },
    async decide({ account, key, body, nowMs, origin }, { settings, products }, { order_limit, currency, timezone }) {
      if (Object.hasOwn(body.metadata, sessionKey))
        throw invalidValue(`metadata.${sessionKey}`, `metadata.${sessionKey} is set by the service.`);
      const id = newId('cs', nowMs);
      const readUrl = (field: 'success_url' | 'cancel_url') => returnUrl(body[field], { field, sessionId: id, allowLoopback });
      const urls = { success_url: readUrl('success_url'), cancel_url: readUrl('cancel_url') };
      assertKnownFields(body.custom_fields, customFieldKeys(settings, 'order', key.type === 'secret'));
      const token = randomText(random, tokenBytes);
      const catalog = { settings, products, currency: saleCurrency({ currency }), today: today(nowMs, timezone) };
      const session = makeSession({ ...body, ...urls }, catalog, { id, account, token, nowMs });
      if (order_limit !== null) await assertBelow(account, orderMonth(nowMs), order_limit);
      return {
        result: sessionView(session, `${origin}${hostedPagePath(session)}`),
        writes: [store.checkoutSessions.createWrite(account, session)],
      };
    },
  };
};

export const checkout = (services: CheckoutServices): OperationsOf<typeof routes> => ({ createCheckout: createCheckout(services) });
