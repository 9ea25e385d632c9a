import type * as v from 'valibot';
import { invalidValue } from '../../core/errors.ts';
import { orNull, partial, type record, withDefault } from '../../core/fields.ts';
import type { NewId } from '../../core/ids.ts';
import { isoFromMs } from '../../core/time.ts';
import * as inputs from '../inputs.ts';
import { sentOf } from '../record-fields.ts';
import { type Product, shown } from './fields.ts';

const sent = sentOf(shown, inputs);

export const productInput = {
  ...sent,
  currency: orNull(sent.currency),
  status: withDefault(sent.status, 'active'),
  storefront_visible: withDefault(sent.storefront_visible, true),
};

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const productChanges = partial(sent);

type ProductInput = v.InferOutput<ReturnType<typeof record<typeof productInput>>>;
type ProductChanges = v.InferOutput<ReturnType<typeof record<typeof productChanges>>>;

/** Gives an id to variants without one. Rejects two variants with the same id. */
const withIds = (variants: ProductInput['variants'], newId: () => string): Product['variants'] => {
  const twin = variants.findIndex(({ id }, i) => id !== undefined && variants.findIndex((other) => other.id === id) < i);
  if (twin !== -1) throw invalidValue(`variants.${twin}.id`, `variants.${twin}.id is used twice; each variant needs an id of its own.`);
  return variants.map(({ id, name, price: amount }) => ({ id: id ?? newId(), name, price: amount }));
};

/** Fields of a save that the service sets. */
export interface ProductSave {
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
  if (chosen === null) throw invalidValue('currency', 'currency is required, because the account has no currency.');
  const now = isoFromMs(nowMs);
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

/** Returns the record of a copy for another account. It keeps the ids of variants, which are the product's own. */
export const copyProduct = (product: Product, { nowMs, newId }: ProductSave): Product => {
  const now = isoFromMs(nowMs);
  return { ...product, id: newId('prd', nowMs), created_at: now, updated_at: now };
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
  updated_at: isoFromMs(nowMs),
});
