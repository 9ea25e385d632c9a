import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expenseCategories, resolveExpenseCategory } from '../../../shared/domain/expense/categories.ts';

describe('categories', () => {
  test.each(expenseCategories.map(({ id, label }) => [id, label]))(
    '%s is found by its id and by its label “%s”, in upper or lower case',
    (id, label) => {
      const anyCase = (text: string) => fc.mixedCase(fc.constant(text));
      fc.assert(fc.property(fc.oneof(anyCase(id), anyCase(label)), (name) => expect(resolveExpenseCategory(name)).toBe(id)));
    },
  );

  test.each(['', 'bank-fees', 'bank  fees', 'Repairs and maintenance', 'toString', '__proto__', 'flour'])(
    '%j is not a category',
    (name) => {
      expect(resolveExpenseCategory(name)).toBeUndefined();
    },
  );
});
