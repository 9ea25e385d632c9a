import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../shared/core/errors.ts';
import { parse } from '../../../shared/core/fields.ts';
import { orderInputSchema } from '../../../shared/domain/order/input.ts';
import { makeItems } from '../../../shared/domain/order/items.ts';
import { orderAmounts } from '../../../shared/domain/order/rules.ts';

const cents = (max: number) => fc.integer({ min: 0, max });
const anyItem = fc.record({ quantity: fc.integer({ min: 1, max: 100_000 }), unit: cents(1_000_000) });

const inputOf = (items: readonly { quantity: number; unit: number }[], fields: object = {}) =>
  parse(orderInputSchema, { items: items.map(({ quantity, unit }) => ({ name: 'x', quantity, unit_price: unit / 100 })), ...fields });
const price = (input: ReturnType<typeof inputOf>) => {
  let id = 0;
  const items = makeItems(input.items, { offer: () => undefined, currency: 'USD', newItemId: () => `item_${++id}` });
  return { items, ...orderAmounts(items, input) };
};
const exact = (amount: number): bigint => BigInt(amount.toFixed(2).replace('.', ''));

describe('the total of an order', () => {
  test('the total of an order is the sum of its lines in whole cents, plus tax and fee, minus the discount', () => {
    fc.assert(
      fc.property(
        fc.array(anyItem, { minLength: 1, maxLength: 20 }),
        cents(100_000),
        cents(100_000),
        cents(100_000),
        (lines, tax, fee, off) => {
          const subtotal = lines.reduce((sum, { quantity, unit }) => sum + BigInt(quantity) * BigInt(unit), 0n);
          const discount = Number(BigInt(off) < subtotal ? BigInt(off) : subtotal);
          const priced = price(inputOf(lines, { tax: tax / 100, delivery_fee: fee / 100, discount: discount / 100 }));
          expect(priced.items.map(({ total }) => exact(total))).toEqual(lines.map(({ quantity, unit }) => BigInt(quantity) * BigInt(unit)));
          expect(exact(priced.subtotal)).toBe(subtotal);
          expect(exact(priced.total)).toBe(subtotal + BigInt(tax + fee - discount));
        },
      ),
    );
  });

  test('the total of an order may be 0 but not one cent less', () => {
    fc.assert(
      fc.property(fc.array(anyItem, { minLength: 1, maxLength: 5 }), (lines) => {
        const { subtotal } = price(inputOf(lines));
        expect(price(inputOf(lines, { discount: subtotal })).total).toBe(0);
        const above = Math.round(subtotal * 100 + 1) / 100;
        expect(() => price(inputOf(lines, { discount: above }))).toThrow(ApiError);
      }),
    );
  });
});
