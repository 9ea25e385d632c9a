import { record } from '../../shared/core/fields.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import { changeQuickSale, makeQuickSale, quickSaleChanges, quickSaleInput } from '../../shared/domain/quick-sale/input.ts';
import { idField, onAccount } from './action.ts';
import { modifierOf, softDelete } from './modify.ts';
import { deletedView, quickSaleView } from './views.ts';

const modifySale = modifierOf('Quick sale', ({ quickSales }) => quickSales);

export const quickSale = {
  create: onAccount({
    summary: 'Records a sale without an order, for example at the counter or at a market.',
    input: record(quickSaleInput),
    async decide({ store, clock, newId }, input, account) {
      const nowMs = clock.now();
      const sale = makeQuickSale(input, newId('qs', nowMs), isoFromMs(nowMs), account.timezone);
      return { result: quickSaleView(sale), writes: [store.quickSales.createWrite(account.id, sale)] };
    },
  }),
  update: onAccount({
    summary: 'Changes the fields that you send. Lists are replaced whole. Other fields stay.',
    input: record({ ...idField, ...quickSaleChanges }),
    decide: (services, { id, ...changes }, account) =>
      modifySale(services, account, id, (sale, now) => changeQuickSale(sale, changes, now, account.timezone), quickSaleView),
  }),
  delete: onAccount({
    summary: 'Deletes a quick sale. This cannot be undone.',
    input: record(idField),
    decide: (services, { id }, account) => modifySale(services, account, id, softDelete, deletedView),
  }),
};
