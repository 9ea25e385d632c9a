import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { QuickSale } from '../../../shared/domain/quick-sale/fields.ts';
import { makeQuickSale } from '../../../shared/domain/quick-sale/input.ts';
import { faultsOfPayload } from '../../contract/specification.ts';
import { eventsOfKind } from '../emitted.ts';

const now = '2026-03-10T09:00:00.000Z';
const input = { description: null, sale_type: null, location: null, event_name: null, gross_cost: 2, payment_method: null, items: [] };
const sale = makeQuickSale({ ...input, gross_sales: 10 }, 'qs_1', now, 'UTC');
const deleted = { ...sale, deleted_at: now };
const eventsOf = eventsOfKind<QuickSale>('quickSale');

test.each<[string, QuickSale | undefined, QuickSale | undefined, boolean, string[]]>([
  ['creating', undefined, sale, true, ['quick_sale.created']],
  ['saving', sale, { ...sale, location: 'Square' }, true, ['quick_sale.updated']],
  ['saving without a difference', sale, sale, true, ['quick_sale.updated']],
  ['deleting', sale, deleted, true, ['quick_sale.deleted']],
  ['touching a deleted', deleted, { ...deleted, location: 'Square' }, true, []],
  ['a write that does not save a', sale, sale, false, []],
  ['removing for good a', sale, undefined, true, []],
])('%s sale emits the specified events only', (_name, before, after, saved, types) => {
  expect(eventsOf(before, after, saved).map(({ type }) => type)).toEqual(types);
});

test('the payload shows the sale after the change, with the number of items instead of the items', () => {
  const items = [{ name: 'Roll', quantity: 5, unit_price: 2 }];
  const full = makeQuickSale({ ...input, date: '2026-03-08', items, event_name: 'Fair', location: 'Square' }, 'qs_1', now, 'UTC');
  const { items: _, deleted_at: __, ...shown } = full;
  expect(eventsOf(sale, full)).toEqual([{ type: 'quick_sale.updated', object: { ...shown, items_count: 1, net_amount: 8 } }]);
});

test('the payload of any sale has exactly its fields', () => {
  const text = fc.option(fc.string(), { nil: null });
  const anySale = fc
    .record({ description: text, location: text, payment_method: text, deleted_at: fc.constantFrom(null, now), items_count: fc.nat() })
    .map((fields) => ({ ...sale, ...fields }));
  fc.assert(
    fc.property(fc.option(anySale, { nil: undefined }), anySale, (before, after) => {
      for (const { type, object } of eventsOf(before, after)) expect(faultsOfPayload(type, object)).toEqual([]);
    }),
  );
});
