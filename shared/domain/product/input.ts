import * as v from 'valibot';
import { invalidValue } from '../../core/errors.ts';
import {
  currency,
  httpsUrl,
  markup,
  money,
  oneOf,
  optionalText,
  orNull,
  partial,
  record,
  recordId,
  requiredText,
  tags,
} from '../../core/fields.ts';
import type { NewId } from '../../core/ids.ts';
import { allergenLevels } from '../enumerations.ts';
import { customFieldValues } from '../free-members.ts';
import type { Product } from './record.ts';

/** Statuses that the dashboard sets. Deleting sets `deleted`. */
const settableStatuses = ['draft', 'active', 'archived'] as const;

const maxVariants = 100;
const maxImages = 50;
const maxAllergens = 50;

const price = () =>
  v.pipe(
    money(),
    v.check((amount) => amount >= 0, 'must not be negative'),
  );

const list = <Schema extends v.GenericSchema>(schema: Schema, max: number) =>
  v.nullish(v.pipe(v.array(schema, 'must be an array'), v.maxLength(max, `must have at most ${max} entries`)), []);

/**
 * Fields that have the same rules in a new product and in a change. A list or object that is null
 * becomes empty.
 */
const common = {
  name: requiredText(),
  price: price(),
  description: orNull(markup()),
  category: optionalText(),
  tags: tags(),
  images: list(httpsUrl(), maxImages),
  variants: list(record({ id: v.optional(recordId()), name: requiredText(), price: price() }), maxVariants),
  allergens: list(record({ name: requiredText(), level: oneOf(allergenLevels) }), maxAllergens),
  custom_fields: v.nullish(customFieldValues(), {}),
};

const status = oneOf(settableStatuses);
const storefrontVisible = v.boolean('must be true or false');

export const productInput = {
  ...common,
  currency: orNull(currency()),
  status: v.nullish(status, 'active'),
  storefront_visible: v.nullish(storefrontVisible, true),
};

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const productChanges = partial({ ...common, currency: currency(), status, storefront_visible: storefrontVisible });

type ProductInput = v.InferOutput<ReturnType<typeof record<typeof productInput>>>;
type ProductChanges = v.InferOutput<ReturnType<typeof record<typeof productChanges>>>;

/** Gives an id to variants without one. Rejects two variants with the same id. */
const withIds = (variants: ProductInput['variants'], newId: () => string): Product['variants'] => {
  const twin = variants.findIndex(({ id }, i) => id !== undefined && variants.findIndex((other) => other.id === id) < i);
  if (twin !== -1) throw invalidValue(`variants.${twin}.id`, `variants.${twin}.id is used twice; each variant needs an id of its own.`);
  return variants.map(({ id, name, price: amount }) => ({ id: id ?? newId(), name, price: amount }));
};

/** Fields of a save that the service sets. */
interface ProductSave {
  readonly nowMs: number;
  readonly newId: NewId;
}

/** Returns the record of a new product. */
export const makeProduct = (
  { storefront_visible, variants, ...said }: ProductInput,
  accountCurrency: string | null,
  { nowMs, newId }: ProductSave,
): Product => {
  const chosen = said.currency ?? accountCurrency;
  if (chosen === null) throw invalidValue('currency', 'currency is required, because the account has none.');
  const now = new Date(nowMs).toISOString();
  return {
    ...said,
    id: newId('prd', nowMs),
    currency: chosen,
    hidden: !storefront_visible,
    variants: withIds(variants, () => newId('var', nowMs)),
    created_at: now,
    updated_at: now,
  };
};

/** Returns the record after a save. The save may change only its time. */
export const changeProduct = (
  product: Product,
  { storefront_visible, variants, ...said }: ProductChanges,
  { nowMs, newId }: ProductSave,
): Product => ({
  ...product,
  ...said,
  hidden: storefront_visible === undefined ? product.hidden : !storefront_visible,
  variants: variants === undefined ? product.variants : withIds(variants, () => newId('var', nowMs)),
  updated_at: new Date(nowMs).toISOString(),
});
