import type { InventoryItem } from '../../../shared/domain/inventory/fields.ts';
import type { Product } from '../../../shared/domain/product/fields.ts';
import type { Random } from '../scheduler/random.ts';
import type { Region } from '../world/region.ts';
import type { StripeAccount } from '../world/stripe.ts';

/** Products and gateway of an account. */
export interface Shop {
  /** A publishable key. */
  readonly publicKey: string;
  readonly products: readonly string[];
  readonly inventory: readonly string[];
  /** Its Stripe accounts, the present one last; empty for the sandbox. */
  readonly stripe: StripeAccount[];
}

/** A few addresses, so that several requests create the same customer at once. */
const emails = ['ada@example.com', 'Bo@example.com', 'cy@example.com'] as const;

/** Details of a buyer. */
export const customerOf = (random: Random) => ({ first_name: 'A', last_name: 'Guest', email: random.pick(emails) });

export const startingStock = 40;
const slots = { pickup: [{ id: 'morning', start: '09:00', end: '11:00' }], delivery: [{ id: 'noon', start: '12:00', multiplier: 1.5 }] };

/** Returns the settings of an account with Stripe, or with the sandbox. */
export const settingsOf = (account: StripeAccount | undefined) => ({
  time_slots: slots,
  checkout: {
    delivery_fee: 4.99,
    ...(account
      ? { gateway: 'stripe' as const, secret_key: account.secretKey, webhook_secret: account.webhookSecret }
      : { gateway: 'sandbox' as const }),
  },
});

const padded = (prefix: string, number: number, index: number): string => `${prefix}_${number}${String(index).padStart(25, '0')}`;

/** Returns an account's currency: sometimes one without a smaller unit, or with thousandths. */
export const currencyOf = (random: Random): string => random.weighted({ USD: 6, JPY: 2, KWD: 2 });

export interface Furnished {
  readonly account: string;
  readonly number: number;
  readonly currency: string;
  readonly publicKey: string;
}

/** Creates an account's products without any fault. */
export const furnish = async (region: Region, { account, number, currency, publicKey }: Furnished): Promise<Shop> => {
  const { store, page, world } = region;
  const now = new Date(world.scheduler.now()).toISOString();
  const product = (index: number, price: number): Product => ({
    ...{ id: padded('prd', number, index), name: `Cake ${index}`, description: null, status: 'active', hidden: false, price },
    ...{ currency, category: null, tags: [], images: [], variants: [], allergens: [], custom_fields: {} },
    ...{ created_at: now, updated_at: now },
  });
  const item: InventoryItem = {
    ...{ id: padded('inv', number, 1), type: 'ingredient', name: 'Flour', category: null, current_stock: startingStock, reorder_point: 10 },
    ...{ unit: 'kg', supplier_id: null, supplier_name: null, created_at: now, updated_at: now },
  };
  const products = [product(1, 12.35), product(2, 0.7)];
  const stripe = world.scheduler.stream(`gateway of ${account}`).chance(0.6) ? [page.stripe.openAccount(account)] : [];
  await store.commit([
    ...products.map((one) => store.products.createWrite(account, one)),
    store.inventory.replaceWrite(account, item, undefined),
    store.accounts.replaceSettingsWrite(account, { document: settingsOf(stripe.at(-1)), formers: [], revision: 0 }),
  ]);
  return { publicKey, products: products.map(({ id }) => id), inventory: [item.id], stripe };
};
