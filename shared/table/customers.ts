import { emailKey, unicodeEmail } from '../core/email.ts';
import { ApiError } from '../core/errors.ts';
import { type Customer, customerName } from '../domain/customer/fields.ts';
import type { TotalsDelta } from '../domain/customer/rules.ts';
import type { Db } from './client.ts';
import { allOf, exists, expr, isAbsent } from './expressions.ts';
import { partition } from './keys.ts';
import { byTime, type ListQuery, type ListSpec, nameContains, openList } from './lists.ts';
import { invalidCursor, type Page, type PageRequest } from './page.ts';
import { openRecords, type Stored } from './records.ts';
import { checkItem, deleteItem, putItem, updateItem, type Write } from './write.ts';

interface CustomerQuery extends ListQuery<'customer'> {
  /** Email to search for, in any letter case. At most one customer has it. */
  readonly email?: string;
}

/** Amounts that an order adds to its customer's totals or subtracts from them. */
interface TotalsChange extends TotalsDelta {
  /**
   * Set if the order is the customer's newest. The write fails if the customer got a newer order
   * after it was read.
   */
  readonly lastOrderDate?: string;
  /** Set for a write that puts text on a record of the customer. It fails if the customer was erased. */
  readonly unlessErased?: true;
}

/**
 * Customers are deleted only with their account, and their ids sort by creation time. So the order
 * by creation needs an index only for a filter.
 */
const lists: ListSpec<'customer', Customer> = {
  kind: 'customer',
  sorts: { created: byTime((customer) => customer.created_at), updated: byTime((customer) => customer.updated_at) },
  name: customerName,
  mayLag: true,
};

const emailItemKey = (account: string, email: string) => ({ pk: partition('customerEmail', account), sk: emailKey(email) });
/** Returns the keys of an email: its own, and that of earlier versions if its domain is international. */
const emailItemKeys = (account: string, email: string) => {
  const own = emailItemKey(account, email);
  const former = { ...own, sk: unicodeEmail(email) };
  return former.sk === own.sk ? [own] : [own, former];
};
const emailTaken = (): ApiError =>
  new ApiError('conflict', 'Another customer has this email. Use that customer, or another email.', { field: 'email' });

export const openCustomers = (db: Db) => {
  const { entries, list } = openList(db, lists);
  const silent = ['total_orders', 'total_spent', 'last_order_date'] as const;
  const records = openRecords<Customer>(db, { kind: 'customer', name: 'customer', attributes: entries, silent });
  const claim = (account: string, email: string, customer: string, rejectWith: () => Error): readonly Write[] =>
    emailItemKeys(account, email).map((key, index) =>
      index === 0 ? putItem(db, { ...key, customer }, { where: isAbsent, rejectWith }) : checkItem(db, key, isAbsent, rejectWith),
    );
  /** Returns the id of the customer with this email, in upper or lower case. Reads consistently. */
  const findByEmail = async (account: string, email: string) => {
    const found = await Promise.all(emailItemKeys(account, email).map((key) => db.get(key)));
    return found.find((item) => item !== undefined)?.['customer'] as string | undefined;
  };
  /** At most one customer has an email, so the list has one page and a cursor is invalid. */
  const listOfEmail = async (account: string, { email = '', from, search }: CustomerQuery, { after }: PageRequest) => {
    if (after) throw invalidCursor();
    const id = email === '' ? undefined : await findByEmail(account, email);
    const customer = id === undefined ? undefined : (await records.get(account, id))?.record;
    // Another customer may have got the email between the two reads.
    const isTheirs = customer?.email != null && emailKey(customer.email) === emailKey(email);
    const isShown = isTheirs && (from === undefined || customer.updated_at >= from) && nameContains(customerName(customer), search);
    return { records: isShown ? [customer] : [] };
  };
  return {
    get: records.get,
    entries,
    findByEmail,
    list: async (account: string, query: CustomerQuery, page: PageRequest): Promise<Page<Customer>> =>
      query.email === undefined ? list(account, query, page) : listOfEmail(account, query, page),
    /**
     * Creates a customer. If another customer has the email, the commit fails with the error of
     * `taken`, by default 409.
     */
    createWrites: (account: string, customer: Customer, taken: () => Error = emailTaken): readonly Write[] => [
      records.createWrite(account, customer),
      ...(customer.email === null ? [] : claim(account, customer.email, customer.id, taken)),
    ],
    replaceWrites(account: string, stored: Stored<Customer>, after: Customer): readonly Write[] {
      const before = stored.record;
      const moved = (before.email && emailKey(before.email)) !== (after.email && emailKey(after.email));
      return [
        records.replaceWrite(account, after, stored),
        ...(moved && before.email !== null ? emailItemKeys(account, before.email).map((key) => deleteItem(db, key)) : []),
        ...(moved && after.email !== null ? claim(account, after.email, after.id, emailTaken) : []),
      ];
    },
    /** Changes the totals. This is not a save: it emits no event and keeps `updated_at`. */
    totalsWrite: (account: string, id: string, { orders, spent, lastOrderDate, unlessErased }: TotalsChange, rejectWith: () => Error) =>
      updateItem(
        db,
        { pk: partition('customer', account), sk: id },
        {
          set: {
            'view.total_orders': expr`view.total_orders + ${orders}`,
            'view.total_spent': expr`view.total_spent + ${spent}`,
            'view.last_order_date': lastOrderDate,
          },
          where: allOf(
            exists,
            unlessErased && expr`attribute_not_exists(view.erased_at)`,
            lastOrderDate !== undefined &&
              expr`attribute_type(view.last_order_date, ${'NULL'}) OR view.last_order_date <= ${lastOrderDate}`,
          ),
          rejectWith,
        },
      ),
  };
};

export type Customers = ReturnType<typeof openCustomers>;
