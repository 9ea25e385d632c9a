import type { Settings } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/record.ts';
import { productView } from '../../shared/domain/product/view.ts';
import { publicFieldValues } from '../../shared/domain/reference/rules.ts';
import type { Call } from '../../shared/http/operation.ts';
import type { Store } from '../../shared/table/store.ts';

/** The settings that say which fields are public; only a shopper's view needs them. */
export const shopperSettings = async (store: Store, account: string, key: Call['key']): Promise<Settings | undefined> =>
  key.type === 'publishable' ? store.accounts.getSettings(account) : undefined;

/** The merchant's view without settings; with them the shopper's, which has the values of public fields alone. */
export const viewFor =
  (settings: Settings | undefined) =>
  (product: Product): ReturnType<typeof productView> =>
    productView(settings ? { ...product, custom_fields: publicFieldValues(product.custom_fields, settings) } : product);
