import { ApiError, changedMeanwhile, missing } from '../../shared/core/errors.ts';
import { awaitAll } from '../../shared/core/promises.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { makeCustomer } from '../../shared/domain/customer/input.ts';
import { orderView } from '../../shared/domain/order/fields.ts';
import type { OrderInput } from '../../shared/domain/order/input.ts';
import { catalogOffer, makeItems } from '../../shared/domain/order/items.ts';
import { assertKnownFields, makeOrder, makeOrderPayment, orderAmounts, saleCurrency } from '../../shared/domain/order/rules.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { ApiServices, Call } from '../../shared/http/exchange.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { type NewOrder, newOrderWrites, type OrderStores } from '../../shared/table/orders.ts';
import type { Products } from '../../shared/table/products.ts';

/** Services of the group, with its own stores. */
export type OrderServices = ApiServices<OrderStores & { readonly products: Products }>;

/**
 * Reads the records that the body refers to, in one round trip: products, settings, the customer with
 * the id in the body, and the id of the customer with the email in the body.
 */
const readReferences = async ({ customers, products, accounts }: OrderServices['store'], account: string, body: OrderInput) => {
  const { customer: named, items, custom_fields } = body;
  const productIds = items.flatMap(({ product_id }) => product_id ?? []);
  const [stored, emailHolder, offered, settings] = await Promise.all([
    named && 'id' in named ? customers.get(account, named.id) : undefined,
    named && 'email' in named && named.email !== null ? customers.findByEmail(account, named.email) : undefined,
    products.getMany(account, productIds),
    Object.keys(custom_fields).length > 0 ? accounts.getSettings(account) : {},
  ]);
  const customer = stored?.record.erased_at === undefined ? stored?.record : undefined;
  return { customer, emailHolder, products: offered, settings };
};

type Found = Awaited<ReturnType<typeof readReferences>>;

/**
 * POST /orders (decisions §6). Writes all its records in one transaction. If the body gives
 * customer details, the order uses the customer with that email, or else a new customer. If two
 * orders create the same customer at once, the second decides again and finds that customer.
 */
export const createOrder = ({ store, newId }: OrderServices): Operation<Call<unknown, OrderInput>, Found> => {
  const customerOf = async (account: string, input: OrderInput, found: Found, nowMs: number): Promise<NewOrder['customer']> => {
    if (found.customer) return { record: found.customer, isNew: false };
    if (found.emailHolder !== undefined) {
      const stored = await store.customers.get(account, found.emailHolder);
      if (!stored) throw changedMeanwhile('The customer', { field: 'customer.email' });
      return { record: stored.record, isNew: false };
    }
    if (!input.customer || 'id' in input.customer) return null;
    return { record: makeCustomer(input.customer, newId('cus', nowMs), isoFromMs(nowMs)), isNew: true };
  };

  return {
    read: ({ account, body }) => readReferences(store, account, body),
    async decide({ body, nowMs }, found, account) {
      const { customer: _, payments: paid, emit_webhooks, ...fields } = body;
      if (body.customer && 'id' in body.customer && !found.customer) {
        throw new ApiError('customer_not_found', missing('Customer', 'customer.id'), { field: 'customer.id' });
      }
      const id = newId('ord', nowMs);
      let lines = 0;
      const currency = body.currency ?? saleCurrency(account);
      const items = makeItems(body.items, { offer: catalogOffer(found.products), currency, newItemId: () => `${id}_${++lines}` });
      assertKnownFields(body.custom_fields, customFieldKeys(found.settings, 'order'));
      const priced = { items, ...orderAmounts(items, body) };
      // The number is taken last, so that a rejected request leaves no gap.
      const [customer, order_number] = await awaitAll([
        customerOf(account.id, body, found, nowMs),
        store.counters.nextOrderNumber(account.id),
      ]);
      const order = makeOrder(fields, priced, {
        id,
        order_number,
        currency,
        source: 'api',
        created_at: isoFromMs(nowMs),
        customer: customer?.record ?? null,
        contact: body.customer && 'email' in body.customer ? body.customer : undefined,
      });
      // Payment ids sort in the order of the body.
      const payments = paid.map((payment, i) => makeOrderPayment(payment, order, newId('pay', nowMs + i), emit_webhooks));
      return { result: orderView(order), writes: newOrderWrites(store, account, { order, payments, customer }) };
    },
  };
};
