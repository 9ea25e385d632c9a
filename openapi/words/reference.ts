import * as wire from '../../shared/domain/reference/fields.ts';
import type { ResourceWords } from './common.ts';

export const reference = {
  group: { name: 'Reference data', description: 'Options for the forms of a storefront.' },
  operations: {
    listExpenseCategories: {
      summary: 'List expense categories',
      description: 'A fixed list of 19, the same for every account.',
      success: 'The categories.',
      body: wire.expenseCategoryList,
    },
    listPaymentMethods: {
      summary: 'List payment methods',
      description: "The account's enabled methods. Orders may have other methods.",
      success: 'The methods.',
      body: wire.paymentMethodList,
    },
    listEventCategories: {
      summary: 'List event categories',
      description: 'Occasions for orders. Defaults if the account has configured none.',
      success: 'The categories.',
      body: wire.eventCategoryList,
    },
    listTimeSlots: {
      summary: 'List time slots',
      description: 'All configured slots, for any date. Use `GET /availability` for the slots of one date.',
      success: 'The slots.',
      body: wire.timeSlotList,
      query: { type: 'Slots of this type. Both types when absent.' },
    },
    listBlockedDates: {
      summary: 'List blocked dates',
      description: 'Single dates and weekly rules, as configured. Only secret keys get reasons and holidays.',
      success: 'The dates and rules.',
      body: wire.blockedDateList,
    },
    listCustomFields: {
      summary: 'List custom fields',
      description: 'Active definitions. Only secret keys get internal definitions and the field `internal`.',
      success: 'The definitions.',
      body: wire.customFieldList,
      query: { scope: 'Definitions for these records. All when absent.' },
    },
    getAvailability: {
      summary: 'Get availability',
      description:
        'Send either `date`, or `from` and `to`. Returns each date with the slots it offers. A date is blocked by a single date first, then by a weekly rule. Nothing else is considered.',
      success: 'The dates, ascending.',
      body: wire.availabilityList,
      query: {
        date: 'One date that exists. Required without `from` and `to`, and not allowed with them.',
        from: 'First date of a range of at most 90 days; requires `to`.',
        to: 'Last date of the range, inclusive and not before `from`; requires `from`.',
        type: 'Slots of this type. It does not change `bookable`.',
      },
    },
  },
} as const satisfies ResourceWords;
