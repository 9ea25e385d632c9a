import { type Payment, paymentFields } from '../domain/payment/fields.ts';
import { empties, namesOf } from '../domain/record-fields.ts';
import type { Db, Item } from './client.ts';
import { type Expression, every, exists, expr, update, within } from './expressions.ts';
import { partition } from './keys.ts';
import { queryAll, queryPages } from './page.ts';
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
  /** With `once`, the commit fails as stale if the payment exists, because its id is not new. */
  createWrites(account: string, payment: Payment, once?: 'once'): readonly Write[];
  /** Replaces the revision that was read. Fails with 409 if another write came first. */
  replaceWrite(account: string, payment: Payment, before: Stored<Payment> | undefined): Write;
  /**
   * Sets the refunded amount of an original payment and its refunds under way. It is not a save and
   * emits nothing. Fails if the payment is not as read.
   */
  refundedWrite(account: string, original: Stored<Payment>, after: Pick<Payment, 'refunded_amount' | 'refund_intents'>): Write;
  /**
   * Finds a payment, not a refund, by one of its ids at the gateway. Reads the pointers of the account
   * from the newest to the oldest, 1 MB a query.
   */
  byTransaction(account: string, ids: readonly string[]): Promise<Stored<Payment> | undefined>;
  /** Removes the payer's data from a payment. It is not a save and emits nothing. */
  erasePayerWrite(account: string, payment: Payment): Write;
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

/** Condition: refunds of the payment are as they were read. Two documents are equal if all their values are. */
const refundsAre = ({ refunded_amount, refund_intents }: Payment): Expression =>
  every(
    expr`view.refunded_amount = ${refunded_amount}`,
    refund_intents ? expr`view.refund_intents = ${refund_intents}` : expr`attribute_not_exists(view.refund_intents)`,
  );

export const openPayments = (db: Db): Payments => {
  const records = openRecords<Payment>(db, {
    kind: 'payment',
    name: 'payment',
    entries: () => ({}),
    silent: ['refunded_amount', 'refund_intents', ...namesOf(erasedPayer)],
    home: (account, { order_id }) => home(account, order_id),
  });
  const paymentOf = (item: Item): Payment => decodeRecord<Payment>(item).record;
  const followed = async (account: string, { sk, order }: Item): Promise<Stored<Payment> | undefined> => {
    const item = await db.get({ pk: home(account, order as string | null), sk: String(sk) });
    return item && decodeRecord<Payment>(item);
  };
  return {
    async get(account, id) {
      const pointer = await db.get(pointerKey(account, id));
      return pointer && (await followed(account, pointer));
    },
    async byTransaction(account, ids) {
      const [first, second = first] = ids;
      if (first === undefined) return undefined;
      const filter = expr`transaction_id = ${first} OR transaction_id = ${second}`;
      const pointers = queryPages(db, { partition: partition('paymentPointer', account), filter, ScanIndexForward: false });
      for await (const { Items = [] } of pointers) if (Items[0]) return await followed(account, Items[0]);
      return undefined;
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
    createWrites: (account, payment, once) => [
      once ? records.replaceWrite(account, payment, undefined) : records.createWrite(account, payment),
      {
        item: {
          Put: {
            TableName: db.table,
            Item: {
              ...pointerKey(account, payment.id),
              order: payment.order_id,
              customer: payment.customer_id,
              // Refunds have ids of their own at the gateway.
              ...(payment.type === 'payment' && payment.gateway?.transaction_id && { transaction_id: payment.gateway.transaction_id }),
            },
          },
        },
      },
    ],
    replaceWrite: records.replaceWrite,
    refundedWrite: (account, { record, revision }, { refunded_amount, refund_intents }) => ({
      item: {
        Update: update(
          db.table,
          { pk: home(account, record.order_id), sk: record.id },
          {
            set: { 'view.refunded_amount': refunded_amount, 'view.refund_intents': refund_intents },
            ...(refund_intents ? {} : { remove: ['view.refund_intents'] }),
            where: every(expr`revision = ${revision}`, refundsAre(record)),
          },
        ),
      },
      refuse: () => new RevisionConflict('payment'),
    }),
    deleteWrites: (account, { sk, order }) => [
      { item: { Delete: { TableName: db.table, Key: { pk: home(account, order as string | null), sk } } } },
      { item: { Delete: { TableName: db.table, Key: pointerKey(account, String(sk)) } } },
    ],
    erasePayerWrite: (account, payment) => ({
      item: {
        Update: update(
          db.table,
          { pk: home(account, payment.order_id), sk: payment.id },
          {
            set: within('view', { ...erasedPayer, refund_intents: paymentFields.refund_intents(payment.refund_intents) }),
            where: payment.refund_intents ? refundsAre(payment) : exists,
          },
        ),
      },
      refuse: () => new RevisionConflict('payment'),
    }),
  };
};
