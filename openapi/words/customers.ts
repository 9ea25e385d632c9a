import { customer, customerEventObject } from '../../shared/domain/customer/fields.ts';
import { customerDetailsSchema, customerInputSchema } from '../../shared/domain/customer/input.ts';
import { eventsOf, exact, fieldValues, mayBeShort, metadataText, type ResourceWords, sent } from './common.ts';

const identified = 'Required if there is neither a phone nor a last name.';

export const customers = {
  group: { name: 'Customers', description: 'Customers of the bakery. Secret keys only.' },
  operations: {
    listCustomers: {
      summary: 'List customers',
      description: 'Newest first. With `updated_after`: last saved first.',
      success: 'A page of customers.',
      body: { list: customer },
      query: {
        email: 'Exact match, in any case. Not together with `external_id`.',
        external_id: `${exact} Not together with \`email\`.`,
        search: `Part of the name, in any case. With it, ${mayBeShort}`,
      },
    },
    createCustomer: {
      summary: 'Create a customer',
      description: 'An email, a phone or a last name is required. Emits `customer.created`.',
      success: 'The customer.',
      body: customer,
      errors: { conflict: 'A customer with this email exists. `field` is `email`.' },
    },
    retrieveCustomer: {
      summary: 'Retrieve a customer',
      description: 'Returns one customer with the totals of their orders.',
      success: 'The customer.',
      body: customer,
    },
  },
  inputs: {
    CustomerInput: sent(customerInputSchema, customer, {
      email: `Unique within the account, in any case. ${identified}`,
      tags: 'Free-form tags, without HTML.',
      custom_fields: fieldValues,
      metadata: metadataText,
    }),
    CustomerDetails: sent(customerDetailsSchema, customer, { email: `Compared without case. ${identified}` }),
    CustomerReference: { id: 'Id of a customer of the account.' },
  },
  events: eventsOf(customerEventObject, {
    'customer.created': { summary: 'A customer was added', description: 'Sent for a new customer, also if an order creates it.' },
    'customer.updated': { summary: 'A customer was saved', description: 'A change of the totals alone emits no event.' },
  }),
} as const satisfies ResourceWords;
