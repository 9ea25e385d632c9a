import * as v from 'valibot';
import {
  bounds,
  currency,
  flag,
  listOf,
  money,
  namedRecord,
  optionalText,
  orNull,
  partial,
  record,
  recordId,
  withDefault,
} from '../../core/fields.ts';
import { customerDetailsSchema } from '../customer/input.ts';
import * as inputs from '../inputs.ts';
import { orderPaymentInput } from '../payment/input.ts';
import { sentOf } from '../record-fields.ts';
import { line, shown } from './fields.ts';

const maxItems = 100;
const maxPayments = 20;

const item = sentOf(line, inputs);
export const orderItemSchema = namedRecord('OrderItemInput', item);

/** Characters of the longest name of a line: a product's name, a dash and its variant's name. */
const maxItemName = 2 * bounds.text + 3;

/**
 * A new line or, with an `id`, a line of the order; its absent fields stay. `total` is calculated, and
 * is taken so that lines can be sent as they were read.
 */
const changedItem = record({
  ...item,
  name: optionalText(maxItemName),
  ...partial({ id: orNull(recordId()), quantity: item.quantity, notes: item.notes, total: money() }),
});
export type ChangedItem = v.InferOutput<typeof changedItem>;

/** The lines of an order: at least one. */
const lines = <Item extends v.GenericSchema>(one: Item) => v.pipe(listOf(one, maxItems), v.minLength(1, 'must have at least one entry'));

/** A reference to an existing customer by id. */
const customerReference = namedRecord('CustomerReference', { id: recordId() });
const customer = v.pipe(
  v.lazy((value) =>
    typeof value === 'object' && value !== null && 'id' in value && value.id !== null ? customerReference : customerDetailsSchema,
  ),
  v.metadata({ alternatives: [customerReference, customerDetailsSchema] }),
);

const { status, payment_status, ...others } = sentOf(shown, inputs);

/** Body of POST /orders (decisions §6). The service calculates the other amounts. */
export const orderInputSchema = namedRecord('OrderInput', {
  items: lines(orderItemSchema),
  status: withDefault(status, 'pending'),
  payment_status: withDefault(payment_status, 'pending'),
  ...others,
  customer: orNull(customer),
  payments: withDefault(listOf(orderPaymentInput, maxPayments), []),
  emit_webhooks: withDefault(flag(), false),
  currency: orNull(currency()),
});

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const orderChanges = partial({ items: lines(changedItem), status, payment_status, ...others });
export type OrderChanges = v.InferOutput<ReturnType<typeof record<typeof orderChanges>>>;

export type OrderInput = v.InferOutput<typeof orderInputSchema>;
export type OrderItemInput = OrderInput['items'][number];
