import { isDeepStrictEqual } from 'node:util';
import { blockFields, payloadFields } from '../../contract/specification.ts';
import type { Fields, Kind } from './records.ts';

/** The events of a change by the specification (§ Events, decisions §7), and their payloads. */

export interface Saved {
  readonly record: Fields;
  /** Rises with a save that changes no value. */
  readonly revision: unknown;
}

/** Facts for the rules that the two versions do not show. */
export interface Circumstances {
  /** Whether a payment reports its creation (rule 7). */
  readonly tellsOfCreation: boolean;
  /** Whether the change comes with one of a payment that the order shows, which always saves the order. */
  readonly comesWithPayment: boolean;
}

const named = (source: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, (source as Readonly<Record<string, unknown>>)[name]]));
const blockOf = (value: unknown, name: keyof typeof blockFields): object | null =>
  value ? named(value as object, blockFields[name]) : null;

interface ExpenseBlocks {
  readonly date: number;
  readonly supplier: { readonly id: unknown; readonly name: unknown } | null;
  readonly payment: Readonly<Record<'status' | 'method' | 'reference', unknown>>;
}

/** Returns fields of a payload that the record does not have under their names. */
const derived = (category: string, record: Fields): object => {
  if (category === 'order')
    return { friendly_order_number: `#${record['order_number']}`, items_count: (record['items'] as readonly unknown[]).length };
  if (category === 'product') return { storefront_visible: record['status'] === 'active' && record['hidden'] === false };
  if (category === 'payment')
    return { method_details: blockOf(record['method_details'], 'method_details'), gateway: blockOf(record['gateway'], 'gateway') };
  if (category !== 'expense') return {};
  const { date, supplier, payment } = record as Fields & ExpenseBlocks;
  return {
    date: new Date(date * 1000).toISOString(),
    ...{ supplier_id: supplier?.id ?? null, supplier_name: supplier?.name ?? null },
    ...{ payment_status: payment.status, payment_method: payment.method, payment_reference: payment.reference },
  };
};

export const payloadOf = (category: string, record: Fields): object =>
  named({ ...record, ...derived(category, record) }, Object.keys(payloadFields[category] ?? {}));

const isSettled = (status: unknown): boolean => status === 'completed' || status === 'approved';
const isLow = ({ record }: Saved): boolean => Number(record['current_stock']) <= Number(record['reorder_point']);

/** Fields that change without a visible save of the record. */
const unreportedFields: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  customer: ['updated_at', 'total_orders', 'total_spent', 'last_order_date'],
};

/** Whether a field has another value, apart from the time of the save. */
const hasChanged = (kind: Kind, before: Saved, after: Saved): boolean => {
  const without = unreportedFields[kind] ?? ['updated_at'];
  const visibleFields = ({ record }: Saved) => Object.fromEntries(Object.entries(record).filter(([name]) => !without.includes(name)));
  return !isDeepStrictEqual(visibleFields(before), visibleFields(after));
};

const isGone = ({ record }: Saved): boolean => (record['deleted_at'] ?? null) !== null || record['status'] === 'deleted';

/** Fields of a payment that a status, a void or a correction of the amount writes. */
const paymentWrites = ['status', 'previous_status', 'amount', 'tip_amount', 'fee_amount', 'completed_at'] as const;

const paymentTypes = (before: Saved | undefined, after: Saved, { tellsOfCreation }: Circumstances): readonly string[] => {
  const { status, type } = after.record;
  const was = before?.record['status'];
  const reached = [
    ...(isSettled(status) && !isSettled(was) ? ['completed'] : []),
    ...(status === 'failed' && was !== 'failed' ? ['failed'] : []),
  ];
  if (!before) return type === 'refund' ? ['refunded'] : tellsOfCreation ? ['created', ...reached] : [];
  const isWritten = before.revision !== after.revision || paymentWrites.some((name) => before.record[name] !== after.record[name]);
  return isWritten ? ['updated', ...reached] : [];
};

/** Returns the last parts of the types of the events of a change. */
const typesOf = (kind: Kind, before: Saved | undefined, after: Saved, circumstances: Circumstances): readonly string[] => {
  if (kind === 'payment') return paymentTypes(before, after, circumstances);
  if (kind === 'inventoryItem') return isLow(after) && !(before && isLow(before)) ? ['low'] : [];
  if (kind === 'expense' && isGone(after)) return [];
  if (!before) return ['created'];
  if (isGone(before)) return [];
  if (isGone(after)) return ['deleted'];
  if (kind === 'product') return before.revision !== after.revision || hasChanged(kind, before, after) ? ['updated'] : [];
  if (!hasChanged(kind, before, after) && !circumstances.comesWithPayment) return [];
  return kind === 'order' && before.record['status'] !== after.record['status'] ? ['updated', 'status_changed'] : ['updated'];
};

/** First part of the types of the events, by kind of record. */
const categories: Readonly<Partial<Record<Kind, string>>> = {
  order: 'order',
  customer: 'customer',
  product: 'product',
  payment: 'payment',
  quickSale: 'quick_sale',
  expense: 'expense',
  inventoryItem: 'inventory',
};

export const hasEvents = (kind: Kind | undefined): kind is Kind => kind !== undefined && categories[kind] !== undefined;

/** Returns the events of a change after which the record exists. */
export const eventsOf = (kind: Kind, before: Saved | undefined, after: Saved, circumstances: Circumstances) => {
  const category = categories[kind] ?? '';
  const object = payloadOf(category, after.record);
  return typesOf(kind, before, after, circumstances).map((last) => ({
    type: `${category}.${last}`,
    object: last === 'status_changed' ? { ...object, previous_status: before?.record['status'] } : object,
  }));
};
