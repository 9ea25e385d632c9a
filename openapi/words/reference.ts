import * as wire from '../../shared/domain/reference/wire.ts';
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
      description: "The account's own enabled methods; they are not compared with what orders carry.",
      success: 'The methods.',
      body: wire.paymentMethodList,
    },
    listEventCategories: {
      summary: 'List event categories',
      description: 'Occasions that orders are made for; defaults if the account has configured none.',
      success: 'The categories.',
      body: wire.eventCategoryList,
    },
    listTimeSlots: {
      summary: 'List time slots',
      description: 'All configured slots, whatever the date. What one date offers is told by its availability.',
      success: 'The slots.',
      body: wire.timeSlotList,
      query: {
        type: 'Both when absent.',
      },
    },
    listBlockedDates: {
      summary: 'List blocked dates',
      description: 'Single dates and weekly rules, as they are configured. Reasons and holidays are shown to secret keys only.',
      success: 'The dates and rules.',
      body: wire.blockedDateList,
    },
    listCustomFields: {
      summary: 'List custom fields',
      description: 'Active definitions. Internal ones, and the member `internal`, are shown to secret keys only.',
      success: 'The definitions.',
      body: wire.customFieldList,
      query: {
        scope: 'Definitions of these records; all when absent.',
      },
    },
    getAvailability: {
      summary: 'Get availability',
      description:
        'Either `date` or both `from` and `to` are required: one date, or every date of a range, with the slots it offers. A date is blocked by a single date first, then by a weekly rule; nothing else is considered.',
      success: 'The dates, ascending.',
      body: wire.availabilityList,
      query: {
        date: 'One date that exists. Required without `from` and `to`, and not allowed with them.',
        from: 'First date of a range of at most 90 days; requires `to`.',
        to: 'Last date of the range, inclusive and not before `from`; requires `from`.',
        type: 'Narrows the slots; it never changes `bookable`.',
      },
    },
  },
} as const satisfies ResourceWords;
