import * as v from 'valibot';
import {
  bounds,
  calendarDate,
  currency,
  markup,
  namedRecord,
  notNegativeMoney,
  oneOf,
  optionalRecordId,
  optionalText,
  orNull,
  partial,
  record,
  recordId,
  verbatim,
} from '../../core/fields.ts';
import { customerDetailsSchema } from '../customer/input.ts';
import { deliveryTypes, orderPaymentStatuses, orderStatuses } from '../enumerations.ts';
import { address, customFieldValues, metadata } from '../free-members.ts';
import { orderPayment } from '../payment/input.ts';

const maxItems = 100;
const maxPayments = 20;
const maxQuantity = 100_000;

export const clockTime = () => v.pipe(v.string('must be a string'), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:MM'));

export const quantity = () =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(maxQuantity, `must be at most ${maxQuantity}`),
  );

const listOf = <Schema extends v.GenericSchema>(schema: Schema, max: number) =>
  v.pipe(v.array(schema, 'must be an array'), v.maxLength(max, `must have at most ${max} entries`));

const item = {
  product_id: orNull(recordId()),
  variant_id: optionalRecordId(),
  name: optionalText(),
  quantity: quantity(),
  unit_price: orNull(notNegativeMoney()),
  notes: orNull(markup()),
};
export const orderItemSchema = namedRecord('OrderItemInput', item);

/** Characters of the longest name of a line: a product's name, a dash and its variant's name. */
const maxItemName = 2 * bounds.text + 3;

/** A new line, or with an `id` a line of the order, whose absent fields stay. */
const changedItem = record({
  ...item,
  name: optionalText(maxItemName),
  ...partial({ id: orNull(recordId()), quantity: quantity(), notes: item.notes }),
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

/** Fields of an order that a create and a change accept. */
const members = {
  items: lines(orderItemSchema),
  status: v.nullish(oneOf(orderStatuses), 'pending'),
  payment_status: v.nullish(oneOf(orderPaymentStatuses), 'pending'),
  /** Any text, returned unchanged. */
  payment_method: orNull(verbatim()),
  delivery_type: v.nullish(oneOf(deliveryTypes), 'pickup'),
  delivery_date: orNull(calendarDate()),
  delivery_time: orNull(clockTime()),
  delivery_address: orNull(address()),
  delivery_fee: v.nullish(notNegativeMoney(), 0),
  discount: v.nullish(notNegativeMoney(), 0),
  tax: v.nullish(notNegativeMoney(), 0),
  order_type: optionalText(),
  event_category: optionalText(),
  external_id: optionalText(),
  notes: orNull(markup()),
  custom_fields: v.nullish(customFieldValues(), {}),
  metadata: v.nullish(metadata(), {}),
};

/** Body of POST /orders (decisions §6). The service calculates the other amounts. */
export const orderInputSchema = namedRecord('OrderInput', {
  ...members,
  customer: orNull(customer),
  payments: v.nullish(listOf(orderPayment, maxPayments), []),
  emit_webhooks: v.nullish(v.boolean('must be true or false'), false),
  currency: orNull(currency()),
});

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const orderChanges = partial({
  ...members,
  items: lines(changedItem),
  status: oneOf(orderStatuses),
  payment_status: oneOf(orderPaymentStatuses),
});
export type OrderChanges = v.InferOutput<ReturnType<typeof record<typeof orderChanges>>>;

export type OrderInput = v.InferOutput<typeof orderInputSchema>;
export type OrderItemInput = OrderInput['items'][number];
