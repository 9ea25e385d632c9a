import { invalidValue } from '../../shared/core/errors.ts';
import { randomText } from '../../shared/core/random.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutInput } from '../../shared/domain/checkout/input.ts';
import { hostedPagePath, makeSession, sessionKey } from '../../shared/domain/checkout/record.ts';
import { returnUrl } from '../../shared/domain/checkout/return-url.ts';
import { orderMonth, saleCurrency } from '../../shared/domain/order/record.ts';
import { assertKnownFields } from '../../shared/domain/order/rules.ts';
import type { Product } from '../../shared/domain/product/record.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Operation } from '../../shared/http/operation.ts';
import { limitReached } from '../../shared/table/counters.ts';
import { sessionView } from './view.ts';

export interface CheckoutServices extends ApiServices {
  /** Shoppers may be sent back to pages of this machine over plain http: the local runtime only. */
  readonly allowLoopbackUrls: boolean;
}

interface Catalog {
  readonly settings: Settings;
  readonly products: ReadonlyMap<string, Product>;
}

const tokenBytes = 24;

/** § POST /checkout: prices, fee and totals come from the catalog and the settings, whatever the caller says. */
export const createCheckout = ({
  store,
  random,
  newId,
  allowLoopbackUrls,
}: CheckoutServices): Operation<unknown, CheckoutInput, Catalog> => {
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
    async decide({ account, key, body, nowMs, origin }, { settings, products }, { order_limit, currency }) {
      if (Object.hasOwn(body.metadata, sessionKey))
        throw invalidValue(`metadata.${sessionKey}`, `metadata.${sessionKey} is set by the service.`);
      const id = newId('cs', nowMs);
      const readUrl = (field: 'success_url' | 'cancel_url') =>
        returnUrl(body[field], { field, sessionId: id, allowLoopback: allowLoopbackUrls });
      const urls = { success_url: readUrl('success_url'), cancel_url: readUrl('cancel_url') };
      assertKnownFields(body.custom_fields, customFieldKeys(settings, 'order', key.type === 'secret'));
      const token = randomText(random, tokenBytes);
      const catalog = { settings, products, currency: saleCurrency({ currency }) };
      const session = makeSession({ ...body, ...urls }, catalog, { id, account, token, nowMs });
      if (order_limit !== null) await assertBelow(account, orderMonth(nowMs), order_limit);
      return {
        body: sessionView(session, `${origin}${hostedPagePath(session)}`),
        writes: [store.checkoutSessions.createWrite(account, session)],
      };
    },
  };
};
