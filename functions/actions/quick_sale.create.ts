import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { makeQuickSale, quickSaleInput } from '../../shared/domain/quick-sale/input.ts';
import type { AccountAction } from './action.ts';
import { quickSaleView } from './shop-views.ts';

const input = record(quickSaleInput);

export const createQuickSale: AccountAction<typeof input> = {
  summary: 'Records a sale without an order, over the counter or at a market.',
  account: 'required',
  input,
  async decide({ store, clock, newId }, said, account) {
    const nowMs = clock.now();
    const sale = makeQuickSale(said, newId('qs', nowMs), isoFromMs(nowMs), account.timezone);
    return { result: quickSaleView(sale), writes: [store.quickSales.createWrite(account.id, sale)] };
  },
};
