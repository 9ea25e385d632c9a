import { invalidValue } from '../../core/errors.ts';
import { multiplyMoney } from '../../core/money.ts';
import { isStorefrontVisible, type Product } from '../product/fields.ts';
import { assertNamesVariant, assertPricedIn, offerOf } from '../product/rules.ts';
import type { Order, OrderItem } from './fields.ts';
import type { ChangedItem, OrderItemInput } from './input.ts';

/** Returns a product that can be ordered. */
export type Offer = (productId: string) => Product | undefined;

/** Returns an offer of the products that the storefront shows. */
export const catalogOffer =
  (products: ReadonlyMap<string, Product>): Offer =>
  (id) => {
    const product = products.get(id);
    return product && isStorefrontVisible(product) ? product : undefined;
  };

/** Data from which items are made, in addition to the input. */
interface ItemOrigin {
  readonly offer: Offer;
  /** The order's currency. */
  readonly currency: string;
  readonly newItemId: () => string;
}

/** Name and price of an item, for which the input has none. */
type Terms = { readonly name: string; readonly price: number };

const makeItem = (
  id: string,
  { product_id, variant_id, name: sentName, quantity, unit_price: price, notes }: OrderItemInput,
  terms: Terms | undefined,
  index: number,
): OrderItem => {
  const name = sentName || terms?.name;
  const unit_price = price ?? terms?.price;
  if (!name) throw invalidValue(`items.${index}.name`, `items.${index}.name is required without a product_id.`);
  if (unit_price === undefined)
    throw invalidValue(`items.${index}.unit_price`, `items.${index}.unit_price is required without a product_id.`);
  return { id, product_id, variant_id, name, quantity, unit_price, total: multiplyMoney(unit_price, quantity), notes };
};

/** Returns name and price in the catalog; undefined for an item without a product. */
const catalogTerms = ({ product_id, variant_id, unit_price }: OrderItemInput, index: number, { offer, currency }: ItemOrigin) => {
  if (product_id === null) {
    if (variant_id !== null) throw invalidValue(`items.${index}.variant_id`, `items.${index}.variant_id needs a product_id.`);
    return undefined;
  }
  const product = offer(product_id);
  if (!product) throw invalidValue(`items.${index}.product_id`, `items.${index}.product_id is not a product on the storefront.`);
  const terms = offerOf(product, variant_id, index);
  if (unit_price === null) {
    assertNamesVariant(product, variant_id, index);
    assertPricedIn(currency, product, index);
  }
  return terms;
};

/**
 * Returns the items with prices. Rejects an item without a name, price or offered product, and a
 * price from a product in another currency.
 */
export const makeItems = (inputs: readonly OrderItemInput[], origin: ItemOrigin): readonly OrderItem[] =>
  inputs.map((input, index) => makeItem(origin.newItemId(), input, catalogTerms(input, index, origin), index));

/** Returns the highest number that the order has given to a line, also to one that was removed. */
const lastLineOf = ({ id, items, last_line = 0 }: Pick<Order, 'id' | 'items' | 'last_line'>): number =>
  Math.max(last_line, ...items.map((item) => Number(item.id.slice(id.length + 1)) || 0));

/** Returns the line after a change. What the change does not send stays as agreed. */
const changeLine = (line: OrderItem, change: ChangedItem, index: number): OrderItem => {
  const { quantity = line.quantity, notes = line.notes } = change;
  for (const field of ['product_id', 'variant_id'] as const) {
    if (change[field] !== null && change[field] !== line[field])
      throw invalidValue(`items.${index}.${field}`, `items.${index}.${field} must be that of the line. Send a new line without an id.`);
  }
  const { product_id, variant_id, name, unit_price: price } = line;
  const sent = { product_id, variant_id, name: change.name, unit_price: change.unit_price, quantity, notes };
  return makeItem(line.id, sent, { name, price }, index);
};

/**
 * Returns name and price that the order has agreed for a product and its variant; undefined if the
 * order does not have it. Rejects an item without a price if the order has several.
 */
const agreedTerms = ({ items }: Order, { product_id, variant_id, unit_price }: OrderItemInput, index: number): Terms | undefined => {
  const agreed = product_id === null ? [] : items.filter((line) => line.product_id === product_id && line.variant_id === variant_id);
  const [first] = agreed;
  if (!first) return undefined;
  if (unit_price === null && agreed.some((line) => line.unit_price !== first.unit_price))
    throw invalidValue(
      `items.${index}`,
      `items.${index} names a product with several prices on the order. Send the id of its line, or a unit_price.`,
    );
  return { name: first.name, price: first.unit_price };
};

/** Returns name and price of a new line: as agreed on the order, or else as in the catalog. */
const newLineTerms = (order: Order, item: OrderItemInput, index: number, origin: ItemOrigin): Terms | undefined => {
  const { product_id, variant_id, unit_price } = item;
  const product = product_id === null ? undefined : origin.offer(product_id);
  if (product && unit_price === null) assertNamesVariant(product, variant_id, index);
  return agreedTerms(order, item, index) ?? catalogTerms(item, index, origin);
};

/** Rejects a total that is neither that of the line nor that of the stored line, because the service calculates it. */
const assertTotal = ({ total }: ChangedItem, made: OrderItem, stored: OrderItem | undefined, index: number): void => {
  if (total === undefined || total === made.total || total === stored?.total) return;
  throw invalidValue(`items.${index}.total`, `items.${index}.total is calculated. Leave it out, or send ${made.total}.`);
};

/**
 * Returns the lines after a change (decisions §6). An item with an `id` is that line of the order;
 * its agreed name and price stay unless it sends new ones. An item without an `id` is a new line with
 * a number that no line of the order has had. Its product may be on the order already, at the agreed
 * price, or must be in `offer`.
 */
export const changeItems = (order: Order, inputs: readonly ChangedItem[], offer: Offer): Pick<Order, 'items' | 'last_line'> => {
  let lastLine = lastLineOf(order);
  const origin = { offer, currency: order.currency, newItemId: () => `${order.id}_${++lastLine}` };
  const used = new Set<string>();
  const items = inputs.map((input, index) => {
    const { id = null, quantity, notes = null } = input;
    if (id !== null) {
      const line = order.items.find((one) => one.id === id);
      if (!line) throw invalidValue(`items.${index}`, `items.${index}.id is not a line of the order.`);
      if (used.has(id)) throw invalidValue(`items.${index}`, `items.${index}.id is used twice.`);
      used.add(id);
      const changed = changeLine(line, input, index);
      assertTotal(input, changed, line, index);
      return changed;
    }
    if (quantity === undefined) throw invalidValue(`items.${index}.quantity`, `items.${index}.quantity is required.`);
    const item = { ...input, quantity, notes };
    const made = makeItem(origin.newItemId(), item, newLineTerms(order, item, index, origin), index);
    assertTotal(input, made, undefined, index);
    return made;
  });
  return { items, ...(lastLine > lastLineOf({ id: order.id, items }) ? { last_line: lastLine } : {}) };
};
