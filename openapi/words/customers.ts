import { customerDetailsSchema, customerInputSchema } from '../../shared/domain/customer/input.ts';
import { customer, customerEventObject } from '../../shared/domain/customer/wire.ts';
import { mayBeShort, metadataText, type ResourceWords, sent } from './common.ts';

const identified = 'Required where there is neither a phone nor a last name.';

export const customers = {
  group: { name: 'Customers', description: 'Who orders. Secret keys only.' },
  operations: {
    listCustomers: {
      summary: 'List customers',
      description: 'Newest first; with `updated_after` by last save.',
      success: 'A page of customers.',
      body: { list: customer },
      query: {
        email: 'Exact match, in any case.',
        search: `Part of the name, in any case; ${mayBeShort}`,
      },
    },
    createCustomer: {
      summary: 'Create a customer',
      description: 'An email, a phone or a last name is required. Emits `customer.created`.',
      success: 'The customer.',
      body: customer,
      errors: { conflict: 'A customer with this email exists; `field` is `email`.' },
    },
    retrieveCustomer: {
      summary: 'Retrieve a customer',
      description: 'One customer with the totals of their orders.',
      success: 'The customer.',
      body: customer,
    },
  },
  inputs: {
    CustomerInput: sent(customerInputSchema, customer, {
      email: `Unique within the account, in any case. ${identified}`,
      tags: 'Free-form tags without HTML; anything but an array counts as none.',
      metadata: metadataText,
    }),
    CustomerDetails: sent(customerDetailsSchema, customer, { email: `Compared without case. ${identified}` }),
    CustomerReference: { id: 'Id of a customer of the account.' },
  },
  events: {
    'customer.created': {
      summary: 'A customer was added',
      description: 'Alone or with their first order.',
      object: customerEventObject,
    },
    'customer.updated': {
      summary: 'A customer was saved',
      description: 'A change of the totals alone emits no event.',
      object: customerEventObject,
    },
  },
} as const satisfies ResourceWords;
