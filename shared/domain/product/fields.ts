import type { InferOutput } from 'valibot';
import { allergenLevels, productStatuses } from '../enumerations.ts';
import { field, namesOf, pick, sentOf } from '../record-fields.ts';
import { customFieldValues, flag, list, money, oneOf, orNull, shape, text, texts, timestamp } from '../wire-shape.ts';

/** Statuses that the dashboard sets. Deleting sets `deleted`. */
const settableStatuses = ['draft', 'active', 'archived'] as const;

const maxVariants = 100;
const maxImages = 50;
const maxAllergens = 50;

const variantFields = {
  id: field(text('Id of the variant within its product.'), { sent: (is) => is.optional(is.recordId()) }),
  name: field(text('Name of the variant.'), { sent: (is) => is.requiredText() }),
  price: field(money('Price of the variant in the currency of the product.'), { sent: (is) => is.notNegativeMoney() }),
};
const allergenFields = {
  name: field(text('Name of the allergen, for example `milk`.'), { sent: (is) => is.requiredText() }),
  level: field(oneOf(allergenLevels, 'How the allergen gets into the product.'), { sent: (is) => is.oneOf(allergenLevels) }),
};
const variant = shape('ProductVariant', 'A variant of a product.', variantFields);
const allergen = shape('Allergen', 'An allergen in a product.', allergenFields);

/** Fields that the API and the dashboard show. */
export const shown = {
  id: text('Id of the product.'),
  name: field(text('Name of the product.'), { sent: (is) => is.requiredText() }),
  description: field(orNull(text('Description for shoppers, with markup. Null without a description.')), {
    sent: (is) => is.orNull(is.markup()),
  }),
  status: field(oneOf(productStatuses, 'Status. Only events show deleted products.'), { sent: (is) => is.oneOf(settableStatuses) }),
  storefront_visible: field(flag('Whether the storefront shows it: true if it is active, not hidden and not deleted.'), {
    sent: (is) => is.flag(),
  }),
  price: field(money('Price of the product. A product with variants is sold at their prices.'), { sent: (is) => is.notNegativeMoney() }),
  currency: field(text('ISO 4217 code of every price.'), { sent: (is) => is.currency() }),
  category: field(orNull(text('Category in the catalog, which the bakery chose. Null without one.')), { sent: (is) => is.optionalText() }),
  tags: field(texts('Labels that the bakery chose. Empty without labels.'), { sent: (is) => is.tags() }),
  images: field(texts('HTTPS URLs of pictures, in the order sent. Empty without pictures.'), {
    sent: (is) => is.withDefault(is.listOf(is.httpsUrl(), maxImages), []),
  }),
  variants: field(list(variant, 'Variants. Empty if there is only one form.'), {
    sent: (is) => is.withDefault(is.listOf(is.record(sentOf(variantFields, is)), maxVariants), []),
  }),
  allergens: field(list(allergen, 'Allergens. Empty if none are stated.'), {
    sent: (is) => is.withDefault(is.listOf(is.record(sentOf(allergenFields, is)), maxAllergens), []),
  }),
  custom_fields: field(
    customFieldValues('Values by key of the custom field. A publishable key gets only values of active definitions that are not internal.'),
    { sent: (is) => is.withDefault(is.customFieldValues(), {}) },
  ),
  created_at: timestamp('Time at which the product was created.'),
  updated_at: timestamp('Time of the last save.'),
};

/** Fields of `data.object` in product.* (§ Payloads). */
const eventFields = pick(shown, ['id', 'name', 'status', 'storefront_visible', 'updated_at']);

export const productEventObject = shape('ProductEventObject', 'A product in `product.*` events.', eventFields);
export const product = shape('Product', 'A product of the bakery.', shown);
export type ProductEventObject = InferOutput<typeof productEventObject>;
type ProductView = InferOutput<typeof product>;

export interface Product extends Omit<ProductView, 'storefront_visible'> {
  /** The dashboard's setting. `isStorefrontVisible` says what the storefront shows. */
  readonly hidden: boolean;
}

/** Whether the storefront shows the product: it is active and not hidden (§ Payloads, product). */
export const isStorefrontVisible = (record: Pick<Product, 'status' | 'hidden'>): boolean => record.status === 'active' && !record.hidden;

export const productPayload = (record: Product): ProductEventObject =>
  pick({ ...record, storefront_visible: isStorefrontVisible(record) }, namesOf(eventFields));

export const productView = (record: Product): ProductView =>
  pick(
    {
      ...record,
      storefront_visible: isStorefrontVisible(record),
      variants: record.variants.map((one) => pick(one, namesOf(variantFields))),
      allergens: record.allergens.map((one) => pick(one, namesOf(allergenFields))),
    },
    namesOf(shown),
  );

export const searchToken = shape('SearchToken', 'A key that lets a browser search the storefront for 15 minutes.', {
  token: text("Scoped search-only key for Typesense's client library."),
  expires_at: timestamp('The token is valid until this time.'),
  provider: oneOf(['typesense'], 'Search engine that accepts the token.'),
  host: text('Host name of the search engine, for HTTPS. If the settings have an origin, that origin with scheme and port.'),
  collection: text('Name of the collection to search.'),
});
export type SearchToken = InferOutput<typeof searchToken>;
