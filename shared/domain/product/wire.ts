import * as v from 'valibot';
import { allergenLevels, productStatuses } from '../enumerations.ts';
import { customFieldValues, flag, list, money, oneOf, orNull, shape, text, timestamp } from '../wire-shape.ts';

const payload = {
  id: text('Id of the product.'),
  name: text('Name.'),
  status: oneOf(productStatuses, 'A deleted product is told by its event alone.'),
  storefront_visible: flag('True only while it is active, not hidden and not deleted.'),
  updated_at: timestamp('Moment of the last save.'),
};

const variant = shape('ProductVariant', 'One of the forms a product is sold in.', {
  id: text('Id of the variant within its product.'),
  name: text('Name.'),
  price: money('Price in the currency of the product.'),
});

const allergen = shape('Allergen', 'Something that people may be allergic to.', {
  name: text('Name.'),
  level: oneOf(allergenLevels, 'How it gets into the product.'),
});

export const productEventObject = shape('ProductEventObject', 'What `product.*` events tell of a product.', payload);
export const product = shape('Product', 'Something the bakery sells.', {
  ...payload,
  description: orNull(text('Free text that may hold markup.')),
  price: money('Price without a variant.'),
  currency: text('ISO 4217 code of every price.'),
  category: orNull(text('Free text.')),
  tags: list(v.string(), 'Free-form tags.'),
  images: list(v.string(), 'HTTPS URLs.'),
  variants: list(variant, 'Empty where it is sold in one form.'),
  allergens: list(allergen, 'Empty where none are stated.'),
  custom_fields: customFieldValues(
    'Values by key of the custom field; a publishable key sees those of active definitions on products that are not internal.',
  ),
  created_at: timestamp('Moment it was added.'),
});

export const searchToken = shape('SearchToken', 'A key with which a browser may search the storefront for 15 minutes.', {
  token: text("A scoped search-only key that Typesense's client library accepts."),
  expires_at: timestamp('Moment from which it is refused.'),
  provider: oneOf(['typesense'], 'The search engine.'),
  host: text('Where the engine answers: a host name, over HTTPS; an origin, with scheme and port, where the settings name one.'),
  collection: text('Collection to search.'),
});

export type ProductEventObject = v.InferOutput<typeof productEventObject>;
export type Product = v.InferOutput<typeof product>;
export type SearchToken = v.InferOutput<typeof searchToken>;
