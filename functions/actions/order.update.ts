import { record, requiredText } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { type OrderChanges, orderChanges } from '../../shared/domain/order/input.ts';
import { assertKnownFields, catalogOffer, changeOrder } from '../../shared/domain/order/rules.ts';
import { customFieldKeys } from '../../shared/domain/reference/rules.ts';
import type { Store } from '../../shared/table/store.ts';
import type { AccountAction } from './action.ts';
import { modifyOrder } from './modify-order.ts';
import { orderView } from './shop-views.ts';

const input = record({ id: requiredText(), ...orderChanges });

/** What the changes refer to: the products of the items, and the keys that custom fields may have. */
const readReferred = async ({ products, accounts }: Store, account: string, { items = [], custom_fields }: OrderChanges) => {
  const ids = items.flatMap(({ product_id }) => product_id ?? []);
  const [found, settings] = await Promise.all([
    products.getMany(account, ids),
    custom_fields === undefined ? {} : accounts.getSettings(account),
  ]);
  return { offer: catalogOffer(found), fieldKeys: customFieldKeys(settings, 'order') };
};

export const updateOrder: AccountAction<typeof input> = {
  summary: 'Changes the members given, each whole, and what the order then comes to; the others stay.',
  account: 'required',
  input,
  async decide({ store, clock }, { id, ...changes }, account) {
    const unchanged = Object.keys(changes).length === 0;
    const { offer, fieldKeys } = await readReferred(store, account.id, changes);
    const { record, writes } = await modifyOrder(store, account, id, (current) => {
      if (unchanged) return current;
      // Values of a definition that is gone by now may stay.
      assertKnownFields(changes.custom_fields ?? {}, new Set([...fieldKeys, ...Object.keys(current.custom_fields)]));
      return changeOrder(current, changes, offer, isoFromMs(clock.now()));
    });
    return { result: orderView(record), writes };
  },
};
