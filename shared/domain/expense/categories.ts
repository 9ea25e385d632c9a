import { foldCase } from '../../core/text.ts';
/** The fixed categories, identical for all accounts (§ Reference data; ids from decisions §5). */
export const expenseCategories = [
  { id: 'ingredients', label: 'Ingredients', description: 'Flour, sugar, dairy, fillings and other food inputs' },
  { id: 'packaging', label: 'Packaging', description: 'Boxes, bags, boards, ribbons and labels' },
  { id: 'equipment', label: 'Equipment', description: 'Ovens, mixers, tins and small tools' },
  { id: 'utilities', label: 'Utilities', description: 'Electricity, gas, water, phone and internet' },
  { id: 'rent', label: 'Rent', description: 'Premises, kitchen hire and storage' },
  { id: 'wages', label: 'Wages', description: 'Salaries, contractors and related costs' },
  { id: 'marketing', label: 'Marketing', description: 'Advertising, photography and promotions' },
  { id: 'delivery', label: 'Delivery', description: 'Couriers, fuel and vehicle costs' },
  { id: 'insurance', label: 'Insurance', description: 'Business, liability and vehicle cover' },
  { id: 'bank_fees', label: 'Bank fees', description: 'Account, card and payment gateway fees' },
  { id: 'software', label: 'Software', description: 'Subscriptions and online services' },
  { id: 'professional_services', label: 'Professional services', description: 'Accounting, legal and consulting' },
  { id: 'repairs_maintenance', label: 'Repairs & maintenance', description: 'Servicing and repair of equipment and premises' },
  { id: 'cleaning', label: 'Cleaning', description: 'Cleaning supplies and services' },
  { id: 'training', label: 'Training', description: 'Courses, certificates and books' },
  { id: 'travel', label: 'Travel', description: 'Fares, accommodation and meals on business trips' },
  { id: 'licenses_permits', label: 'Licenses & permits', description: 'Food business registration, permits and inspections' },
  { id: 'taxes', label: 'Taxes', description: 'Business taxes and duties' },
  { id: 'other', label: 'Other', description: 'Anything that fits no other category' },
] as const;

export type ExpenseCategory = (typeof expenseCategories)[number]['id'];

export const expenseCategoryIds: readonly string[] = /* @__PURE__ */ expenseCategories.map(({ id }) => id);

const byName: ReadonlyMap<string, ExpenseCategory> = new Map(
  expenseCategories.flatMap(({ id, label }) => [
    [id, id],
    [foldCase(label), id],
  ]),
);

/**
 * Returns the category's id for its id or its label, in upper or lower case; undefined if it is
 * unknown.
 */
export const resolveExpenseCategory = (idOrLabel: string): ExpenseCategory | undefined => byName.get(foldCase(idOrLabel));
