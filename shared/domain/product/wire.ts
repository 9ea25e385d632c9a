import * as v from 'valibot';
import { allergenLevels, productStatuses } from '../enumerations.ts';
import { customFieldValues, flag, list, money, oneOf, orNull, shape, text, timestamp } from '../wire-shape.ts';

const payload = {
  id: text('Id of the product.'),
  name: text('Name.'),
  status: oneOf(productStatuses, 'Status. Only events show deleted products.'),
  storefront_visible: flag('Whether the storefront shows it: true if it is active, not hidden and not deleted.'),
  updated_at: timestamp('Time of the last save.'),
};

const variant = shape('ProductVariant', 'A variant of a product.', {
  id: text('Id of the variant within its product.'),
  name: text('Name.'),
  price: money('Price in the currency of the product.'),
});

const allergen = shape('Allergen', 'An allergen in a product.', {
  name: text('Name.'),
  level: oneOf(allergenLevels, 'How the allergen gets into the product.'),
});

export const productEventObject = shape('ProductEventObject', 'A product in `product.*` events.', payload);
export const product = shape('Product', 'A product of the bakery.', {
  ...payload,
  description: orNull(text('Free text that may hold markup.')),
  price: money('Price without a variant.'),
  currency: text('ISO 4217 code of every price.'),
  category: orNull(text('Free text.')),
  tags: list(v.string(), 'Free-form tags.'),
  images: list(v.string(), 'HTTPS URLs.'),
  variants: list(variant, 'Variants. Empty if there is only one form.'),
  allergens: list(allergen, 'Allergens. Empty if none are stated.'),
  custom_fields: customFieldValues(
    'Values by key of the custom field. A publishable key gets only values of active definitions that are not internal.',
  ),
  created_at: timestamp('Time of creation.'),
});

export const searchToken = shape('SearchToken', 'A key that lets a browser search the storefront for 15 minutes.', {
  token: text("Scoped search-only key for Typesense's client library."),
  expires_at: timestamp('The token is valid until this time.'),
  provider: oneOf(['typesense'], 'The search engine.'),
  host: text('Host name of the search engine, for HTTPS. If the settings have an origin, that origin with scheme and port.'),
  collection: text('Collection to search.'),
});

export type ProductEventObject = v.InferOutput<typeof productEventObject>;
export type Product = v.InferOutput<typeof product>;
export type SearchToken = v.InferOutput<typeof searchToken>;
