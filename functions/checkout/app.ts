import { invalidValue } from '../../shared/core/errors.ts';
import { randomText } from '../../shared/core/random.ts';
import { clockTimeAt, isoFromMs, today } from '../../shared/core/time.ts';
import type * as wire from '../../shared/domain/checkout/fields.ts';
import { returnUrl } from '../../shared/domain/checkout/input.ts';
import { type CheckoutSession, hostedPagePath, makeSession, sessionKey } from '../../shared/domain/checkout/record.ts';
import { assertKnownFields, orderMonth, saleCurrency } from '../../shared/domain/order/rules.ts';
import { pick } from '../../shared/domain/record-fields.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, OperationsOf } from '../../shared/http/exchange.ts';
import { operation } from '../../shared/operations/operation.ts';
import type { Services } from '../../shared/services.ts';
import type { Counters } from '../../shared/table/orders.ts';
import { limitReached } from '../../shared/table/orders.ts';
import type { Products } from '../../shared/table/products.ts';
import type { Records } from '../../shared/table/records.ts';
import type { routes } from './routes.ts';

/** In the local service, `policy` allows return URLs with plain HTTP on this machine. */
type CheckoutServices = Pick<Services, 'policy'> &
  ApiServices<{ readonly checkoutSessions: Records<CheckoutSession>; readonly counters: Counters; readonly products: Products }>;

/** Returns the response of POST /checkout. `url` is the address of the hosted page. */
export const sessionView = (session: CheckoutSession, url: string): wire.CheckoutSession =>
  pick({ ...session, url, expires_at: isoFromMs(session.expires_ms) }, [
    'id',
    'url',
    'status',
    'currency',
    'subtotal',
    'delivery_fee',
    'total',
    'expires_at',
    'created_at',
  ]);

const tokenBytes = 24;

export const checkout = ({ store, random, newId, policy }: CheckoutServices): OperationsOf<typeof routes> => ({
  /**
   * Creates a checkout session (§ POST /checkout). Prices, fee and totals come from the catalog and
   * the settings, never from the request.
   */
  createCheckout: operation({
    async read({ account, body }) {
      const ids = body.items.map(({ product_id }) => product_id);
      const [settings, products] = await Promise.all([store.accounts.getSettings(account), store.products.getMany(account, ids)]);
      return { settings, products };
    },
    async decide({ account, key, body, nowMs, origin }, { settings, products }, { order_limit, currency, timezone }) {
      if (Object.hasOwn(body.metadata, sessionKey))
        throw invalidValue(`metadata.${sessionKey}`, `metadata.${sessionKey} is set by the service.`);
      const id = newId('cs', nowMs);
      const { allowLoopback } = policy;
      const readUrl = (field: 'success_url' | 'cancel_url') => returnUrl(body[field], { field, sessionId: id, allowLoopback });
      const urls = { success_url: readUrl('success_url'), cancel_url: readUrl('cancel_url') };
      assertKnownFields(body.custom_fields, customFieldKeys(settings, 'order', key.type === 'secret'));
      const token = randomText(random, tokenBytes);
      const now = { today: today(nowMs, timezone), clockTime: clockTimeAt(nowMs, timezone) };
      const catalog = { settings, products, currency: saleCurrency({ currency }), ...now };
      const session = makeSession({ ...body, ...urls }, catalog, { id, account, token, nowMs });
      if (order_limit !== null) {
        const count = await store.counters.ordersIn(account, orderMonth(nowMs));
        if (count >= order_limit) throw limitReached(count, order_limit);
      }
      return {
        result: sessionView(session, `${origin}${hostedPagePath(session)}`),
        writes: [store.checkoutSessions.createWrite(account, session)],
      };
    },
  }),
});
