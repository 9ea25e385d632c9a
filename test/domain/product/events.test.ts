import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { productStatuses } from '../../../shared/domain/enumerations.ts';
import type { Product } from '../../../shared/domain/product/fields.ts';
import { faultsOfPayload } from '../../contract/specification.ts';
import { productOf } from '../../support/products.ts';
import { eventsOfKind } from '../emitted.ts';

const nowMs = Date.parse('2026-03-10T09:00:00.000Z');
const product = productOf(nowMs);
const deleted: Product = { ...product, status: 'deleted' };
const eventsOf = eventsOfKind<Product>('product');

test.each<[string, Product | undefined, Product | undefined, boolean, string[]]>([
  ['creating', undefined, product, true, ['product.created']],
  ['creating a draft of', undefined, { ...product, status: 'draft' }, true, ['product.created']],
  ['saving', product, { ...product, price: 1 }, true, ['product.updated']],
  ['saving without a difference', product, product, true, ['product.updated']],
  ['archiving', product, { ...product, status: 'archived' }, true, ['product.updated']],
  ['hiding', product, { ...product, hidden: true }, true, ['product.updated']],
  ['deleting', product, deleted, true, ['product.deleted']],
  ['touching a deleted one of', deleted, deleted, true, []],
  ['a write that does not save', product, { ...product, price: 1 }, false, []],
  ['removing for good', product, undefined, true, []],
])('%s a product emits the specified events only', (_name, before, after, saved, types) => {
  expect(eventsOf(before, after, saved).map(({ type }) => type)).toEqual(types);
});

test.each(productStatuses.flatMap((status) => [true, false].map((hidden) => [status, hidden] as const)))(
  'a product (status %s, hidden %j) is visible only if active and not hidden',
  (status, hidden) => {
    const [event] = eventsOf(product, { ...product, status, hidden });
    expect(event?.object['storefront_visible']).toBe(status === 'active' && !hidden);
  },
);

test('the payload has its five fields, without prices, variants or allergens', () => {
  const full = productOf(nowMs, { variants: [{ id: 'v', name: 'L', price: 9 }], allergens: [{ name: 'Nuts', level: 'contains' }] });
  const { id, name, status, updated_at } = full;
  expect(eventsOf(undefined, full)).toEqual([
    { type: 'product.created', object: { id, name, status, storefront_visible: true, updated_at } },
  ]);
  fc.assert(
    fc.property(fc.constantFrom(...productStatuses), fc.boolean(), fc.string(), (any, hidden, title) => {
      for (const { type, object } of eventsOf(product, { ...full, status: any, hidden, name: title }))
        expect(faultsOfPayload(type, object)).toEqual([]);
    }),
  );
});
