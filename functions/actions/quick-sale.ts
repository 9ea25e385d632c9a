import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { changeQuickSale, makeQuickSale, quickSaleChanges, quickSaleInput } from '../../shared/domain/quick-sale/input.ts';
import { byId, onAccount } from './action.ts';
import { deletedAt, modifyRecord } from './modify.ts';
import { quickSaleView } from './views.ts';

const name = 'Quick sale';

export const quickSale = {
  create: onAccount({
    summary: 'Records a sale without an order, over the counter or at a market.',
    input: record(quickSaleInput),
    async decide({ store, clock, newId }, said, account) {
      const nowMs = clock.now();
      const sale = makeQuickSale(said, newId('qs', nowMs), isoFromMs(nowMs), account.timezone);
      return { result: quickSaleView(sale), writes: [store.quickSales.createWrite(account.id, sale)] };
    },
  }),
  update: onAccount({
    summary: 'Changes the members given, each whole; the others stay.',
    input: record({ ...byId, ...quickSaleChanges }),
    async decide({ store, clock }, { id, ...changes }, account) {
      const { record, writes } = await modifyRecord({ records: store.quickSales, account: account.id, id, name }, (current) =>
        changeQuickSale(current, changes, isoFromMs(clock.now()), account.timezone),
      );
      return { result: quickSaleView(record), writes };
    },
  }),
  delete: onAccount({
    summary: 'Deletes a quick sale.',
    input: record(byId),
    async decide({ store, clock }, { id }, account) {
      const { writes } = await modifyRecord({ records: store.quickSales, account: account.id, id, name }, (sale) => ({
        ...sale,
        ...deletedAt(isoFromMs(clock.now())),
      }));
      return { result: { deleted: true, id }, writes };
    },
  }),
};
