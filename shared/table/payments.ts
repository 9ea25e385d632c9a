import { type Payment, paymentFields } from '../domain/payment/fields.ts';
import { emptyValuesOf, namesOf } from '../domain/record-fields.ts';
import type { Db, Item } from './client.ts';
import { allOf, type Expression, exists, expr, setWithin } from './expressions.ts';
import { partition } from './keys.ts';
import { queryAll, queryPages } from './page.ts';
import { decodeRecord, hasValue, openRecords, RevisionConflict, type Stored } from './records.ts';
import { deleteItem, putItem, updateItem, type Write } from './write.ts';

/** Order id under which payments without an order are stored. */
export const noOrder = 'none';
/** Owner of a payment's partition: the payments of an order share it, so that one query reads them consistently. */
const ownerOf = (account: string, order: string | null): string => `${account}#${order ?? noOrder}`;
const home = (account: string, order: string | null): string => partition('payment', ownerOf(account, order));
/** Key of a pointer, which finds a payment by its id alone. */
const pointerKey = (account: string, id: string) => ({ pk: partition('paymentPointer', account), sk: id });

/** Values of the payer's fields after an erasure. */
const erasedPayer = emptyValuesOf(paymentFields);

/** Condition: refunds of the payment are as they were read. Two documents are equal if all their values are. */
const refundsAre = ({ refunded_amount, refund_intents }: Payment): Expression =>
  allOf(expr`view.refunded_amount = ${refunded_amount}`, hasValue(expr`view.refund_intents`, refund_intents));

/** Key of the payment that a pointer names. */
const keyAt = (account: string, { sk, order }: Item) => ({ pk: home(account, order as string | null), sk: String(sk) });
const paymentOf = (item: Item): Payment => decodeRecord<Payment>(item).record;

const openReads = (db: Db) => {
  const readAt = async (account: string, pointer: Item): Promise<Stored<Payment> | undefined> => {
    const item = await db.get(keyAt(account, pointer));
    return item && decodeRecord<Payment>(item);
  };
  return {
    async get(account: string, id: string) {
      const pointer = await db.get(pointerKey(account, id));
      return pointer && (await readAt(account, pointer));
    },
    /**
     * Finds a payment, not a refund, by one of its ids at the gateway. Reads the pointers of the account
     * from the newest to the oldest, 1 MB a query.
     */
    async byTransaction(account: string, ids: readonly string[]) {
      const [first, second = first] = ids;
      if (first === undefined) return undefined;
      const filter = expr`transaction_id = ${first} OR transaction_id = ${second}`;
      const pointers = queryPages(db, { partition: partition('paymentPointer', account), filter, ScanIndexForward: false });
      for await (const { Items = [] } of pointers) if (Items[0]) return await readAt(account, Items[0]);
      return undefined;
    },
    /** Returns the payments of an order, oldest first. Reads consistently. */
    ofOrder: async (account: string, order: string): Promise<readonly Payment[]> =>
      (await queryAll(db, home(account, order))).map(paymentOf),
    /**
     * Finds the account's payments with one query per 1 MB of pointers. Returns a function that reads
     * an order's payments, oldest first. Orders that are read at the same time share calls.
     */
    async byOrder(account: string) {
      const pointers = Map.groupBy(await queryAll(db, partition('paymentPointer', account)), (pointer) => pointer['order']);
      return async (order: string): Promise<readonly Payment[]> => {
        const items = await Promise.all((pointers.get(order) ?? []).map((pointer) => db.get(keyAt(account, pointer))));
        return items.flatMap((item) => (item ? [paymentOf(item)] : []));
      };
    },
  };
};

export const openPayments = (db: Db) => {
  const records = openRecords<Payment>(db, {
    kind: 'payment',
    name: 'payment',
    silent: ['refunded_amount', 'refund_intents', 'gateway', ...namesOf(erasedPayer)],
  });
  const keyOf = (account: string, { order_id, id }: Payment) => ({ pk: home(account, order_id), sk: id });
  const rejectWith = () => new RevisionConflict('payment');
  const replaceWrite = (account: string, payment: Payment, before: Stored<Payment> | undefined): Write =>
    records.replaceWrite(ownerOf(account, payment.order_id), payment, before);
  return {
    ...openReads(db),
    /** With `once`, the commit fails as stale if the payment exists, because its id is not new. */
    createWrites: (account: string, payment: Payment, once?: 'once'): readonly Write[] => [
      once ? replaceWrite(account, payment, undefined) : records.createWrite(ownerOf(account, payment.order_id), payment),
      putItem(db, {
        ...pointerKey(account, payment.id),
        order: payment.order_id,
        customer: payment.customer_id,
        // Refunds have ids of their own at the gateway.
        ...(payment.type === 'payment' && payment.gateway?.transaction_id && { transaction_id: payment.gateway.transaction_id }),
      }),
    ],
    replaceWrite,
    /**
     * Sets the refunded amount of an original payment and its refunds under way. It is not a save and
     * emits nothing. Fails if the payment is not as read.
     */
    refundsWrite: (
      account: string,
      { record, revision }: Stored<Payment>,
      { refunded_amount, refund_intents }: Pick<Payment, 'refunded_amount' | 'refund_intents'>,
    ) =>
      updateItem(db, keyOf(account, record), {
        set: { 'view.refunded_amount': refunded_amount, 'view.refund_intents': refund_intents },
        remove: refund_intents ? [] : ['view.refund_intents'],
        where: allOf(expr`revision = ${revision}`, refundsAre(record)),
        rejectWith,
      }),
    /** Gives a refund its transaction at the gateway. It is not a save and emits nothing. Fails if the refund is not as read. */
    transactionWrite: (account: string, { record, revision }: Stored<Payment>, gateway: Payment['gateway']) =>
      updateItem(db, keyOf(account, record), {
        set: { 'view.gateway': gateway },
        where: expr`revision = ${revision} AND view.gateway = ${record.gateway}`,
        rejectWith,
      }),
    /** Deletes a pointer and the payment that it names. Deleting them again is not an error. */
    deleteWrites: (account: string, pointer: Item): readonly Write[] => [
      deleteItem(db, keyAt(account, pointer)),
      deleteItem(db, pointerKey(account, String(pointer['sk']))),
    ],
    /** Removes the payer's data from a payment. It is not a save and emits nothing. */
    erasePayerWrite: (account: string, payment: Payment) =>
      updateItem(db, keyOf(account, payment), {
        set: setWithin('view', { ...erasedPayer, refund_intents: paymentFields.refund_intents(payment.refund_intents) }),
        where: payment.refund_intents ? refundsAre(payment) : exists,
        rejectWith,
      }),
  };
};

export type Payments = ReturnType<typeof openPayments>;
