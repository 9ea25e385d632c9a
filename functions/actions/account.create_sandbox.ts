import * as v from 'valibot';
import { record, requiredText } from '../../shared/core/fields.ts';
import { bounds, cutText } from '../../shared/core/text.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import { withoutSecrets } from '../../shared/domain/account/settings.ts';
import type { Product } from '../../shared/domain/product/fields.ts';
import { copyProduct, type ProductSave } from '../../shared/domain/product/input.ts';
import type { Store } from '../../shared/table/store.ts';
import { type ActionServices, inParallel, onAccount } from './action.ts';
import { accountView } from './views.ts';

/** Maximum number of products in a sandbox, the newest of the account (decisions §7). */
const maxProducts = 500;
const pageLimit = 100;

/** Reads the newest products that are not deleted. */
const readCatalog = async ({ products }: Pick<Store, 'products'>, account: string): Promise<readonly Product[]> => {
  const read: Product[] = [];
  for (let after: Awaited<ReturnType<typeof products.list>>['next']; read.length < maxProducts; ) {
    const page = await products.list(account, { sort: 'created' }, { limit: pageLimit, ...(after && { after }) });
    read.push(...page.records);
    if (!page.next) break;
    after = page.next;
  }
  return read.slice(0, maxProducts);
};

/**
 * Copies a catalog in its order. Copies are one millisecond apart, because a list sorts by time before
 * it sorts by id.
 */
const copyCatalog = async (
  { store, newId }: Pick<ActionServices, 'store' | 'newId'>,
  account: string,
  products: readonly Product[],
  nowMs: number,
): Promise<void> => {
  const copies = products.map((product, i): readonly [Product, ProductSave] => [product, { nowMs: nowMs - i, newId }]);
  await inParallel(copies, ([product, save]) => store.commit([store.products.createWrite(account, copyProduct(product, save))]));
};

export const createSandbox = onAccount({
  summary: 'Creates a test account with settings and up to 500 products of this account, and with the sandbox gateway.',
  input: record({ name: v.exactOptional(requiredText()) }),
  /**
   * The new account is written last, together with the token. If the action fails before, no account
   * has the copies, and a repeated call makes others.
   */
  async decideAlone({ store, clock, newId }, { name }, { region, currency, timezone, ...original }) {
    const nowMs = clock.now();
    const now = isoFromMs(nowMs);
    const account: Account = {
      id: newId('acct', nowMs),
      name: name ?? cutText(`${original.name} (sandbox)`, bounds.text),
      region,
      plan: 'business',
      status: 'active',
      currency,
      order_limit: null,
      timezone,
      created_at: now,
      updated_at: now,
    };
    const [settings, products] = await Promise.all([store.accounts.getSettings(original.id), readCatalog(store, original.id)]);
    await copyCatalog({ store, newId }, account.id, products, nowMs);
    const document = withoutSecrets(settings);
    return {
      result: accountView(account),
      writes: [
        store.accounts.createWrite(account),
        store.accounts.replaceSettingsWrite(account.id, { document, formers: [], revision: 0 }),
      ],
    };
  },
});
