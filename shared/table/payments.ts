import { type Payment, paymentFields } from '../domain/payment/fields.ts';
import { empties, namesOf } from '../domain/record-fields.ts';
import type { Db, Item } from './client.ts';
import { exists, expr, update, within } from './expressions.ts';
import { partition } from './keys.ts';
import { queryAll } from './page.ts';
import { decodeRecord, openRecords, RevisionConflict, type Stored } from './records.ts';
import type { Write } from './write.ts';

/** Payments of an order share a partition, so that one query reads them consistently. */
export interface Payments {
  get(account: string, id: string): Promise<Stored<Payment> | undefined>;
  /** Returns the payments of an order, oldest first. Reads consistently. */
  ofOrder(account: string, order: string): Promise<readonly Payment[]>;
  /**
   * Finds the account's payments with one query per 1 MB of pointers. Returns a function that reads
   * an order's payments, oldest first. Orders that are read at the same time share calls.
   */
  byOrder(account: string): Promise<(order: string) => Promise<readonly Payment[]>>;
  createWrites(account: string, payment: Payment): readonly Write[];
  /** Replaces the revision that was read. Fails with 409 if another write came first. */
  replaceWrite(account: string, payment: Payment, before: Stored<Payment> | undefined): Write;
  /**
   * Sets the refunded amount of an original payment. It is not a save and emits nothing. Fails if
   * the payment is not as read.
   */
  refundedWrite(account: string, original: Stored<Payment>, refunded_amount: number): Write;
  /** Removes the payer's data from a payment. It is not a save and emits nothing. */
  erasePayerWrite(account: string, payment: Pick<Payment, 'id' | 'order_id'>): Write;
  /** Deletes a pointer and the payment that it names. Deleting them again is not an error. */
  deleteWrites(account: string, pointer: Item): readonly Write[];
}

/** Order id under which payments without an order are stored. */
export const withoutOrder = 'none';
const home = (account: string, order: string | null): string => partition('payment', account, order ?? withoutOrder);
/** Key of a pointer, which finds a payment by its id alone. */
const pointerKey = (account: string, id: string) => ({ pk: partition('paymentPointer', account), sk: id });

/** Values of the payer's fields after an erasure. */
const erasedPayer = empties(paymentFields);

export const openPayments = (db: Db): Payments => {
  const records = openRecords<Payment>(db, {
    kind: 'payment',
    name: 'payment',
    entries: () => ({}),
    silent: ['refunded_amount', ...namesOf(erasedPayer)],
    home: (account, { order_id }) => home(account, order_id),
  });
  const paymentOf = (item: Item): Payment => decodeRecord<Payment>(item).record;
  return {
    async get(account, id) {
      const pointer = await db.get(pointerKey(account, id));
      if (!pointer) return undefined;
      const item = await db.get({ pk: home(account, pointer['order'] as string | null), sk: id });
      return item && decodeRecord<Payment>(item);
    },
    ofOrder: async (account, order) => (await queryAll(db, home(account, order))).map(paymentOf),
    async byOrder(account) {
      const pointers = Map.groupBy(await queryAll(db, partition('paymentPointer', account)), (pointer) => pointer['order']);
      return async (order) => {
        const keys = (pointers.get(order) ?? []).map(({ sk }) => ({ pk: home(account, order), sk: String(sk) }));
        const items = await Promise.all(keys.map(db.get));
        return items.flatMap((item) => (item ? [paymentOf(item)] : []));
      };
    },
    createWrites: (account, payment) => [
      records.createWrite(account, payment),
      {
        item: {
          Put: {
            TableName: db.table,
            Item: { ...pointerKey(account, payment.id), order: payment.order_id, customer: payment.customer_id },
          },
        },
      },
    ],
    replaceWrite: records.replaceWrite,
    refundedWrite: (account, { record, revision }, refunded_amount) => ({
      item: {
        Update: update(
          db.table,
          { pk: home(account, record.order_id), sk: record.id },
          {
            set: { 'view.refunded_amount': refunded_amount },
            where: expr`revision = ${revision} AND view.refunded_amount = ${record.refunded_amount}`,
          },
        ),
      },
      refuse: () => new RevisionConflict('payment'),
    }),
    deleteWrites: (account, { sk, order }) => [
      { item: { Delete: { TableName: db.table, Key: { pk: home(account, order as string | null), sk } } } },
      { item: { Delete: { TableName: db.table, Key: pointerKey(account, String(sk)) } } },
    ],
    erasePayerWrite: (account, { id, order_id }) => ({
      item: {
        Update: update(db.table, { pk: home(account, order_id), sk: id }, { set: within('view', erasedPayer), where: exists }),
      },
      refuse: () => new RevisionConflict('payment'),
    }),
  };
};
