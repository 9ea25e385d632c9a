import * as v from 'valibot';
import { invalidValue } from '../../core/errors.ts';
import { listOf, notNegativeMoney, partial, record, requiredText } from '../../core/fields.ts';
import { addMoney, maxAmount, multiplyMoney } from '../../core/money.ts';
import { dayOf, parseMoment } from '../../core/time.ts';
import * as inputs from '../inputs.ts';
import { sentOf } from '../record-fields.ts';
import { eventFields, type QuickSale, type QuickSaleItem } from './fields.ts';

const maxItems = 100;
const maxCount = 100_000;

/** A calendar day, or a time, which becomes its day in the account's time zone. */
const day = v.pipe(
  v.string('must be a string'),
  v.transform((text) => text.trim()),
  v.check((text) => parseMoment(text) !== undefined, 'must be an ISO 8601 date or epoch seconds'),
);

const count = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(maxCount, `must be at most ${maxCount}`),
);

const item = record({ name: requiredText(), quantity: inputs.quantity(), unit_price: notNegativeMoney() });

const commonFields = {
  ...sentOf(eventFields, inputs),
  items: v.nullish(listOf(item, maxItems), []),
};

/**
 * `gross_sales` defaults to the sum of the items, `date` to today in the account's time zone. With
 * items, `items_count` is their number.
 */
export const quickSaleInput = {
  ...commonFields,
  date: v.nullish(day),
  gross_sales: v.nullish(notNegativeMoney()),
  items_count: v.nullish(count),
};
type QuickSaleInput = v.InferOutput<ReturnType<typeof record<typeof quickSaleInput>>>;

/** Fields of a change. A sent field replaces the whole stored field; absent fields stay. */
export const quickSaleChanges = partial({ ...commonFields, date: day, gross_sales: notNegativeMoney(), items_count: count });
type QuickSaleChanges = v.InferOutput<ReturnType<typeof record<typeof quickSaleChanges>>>;

/** Returns the sum of the items, in whole cents. */
const worth = (items: readonly QuickSaleItem[]): number => {
  const sum = addMoney(...items.map(({ quantity: many, unit_price }) => multiplyMoney(unit_price, many)));
  if (sum >= maxAmount) throw invalidValue('items', `The total of the sale must be less than ${maxAmount}.`);
  return sum;
};

/** Returns the number of the items. Without items, it is what was sent or stored before. */
const countOf = (items: readonly QuickSaleItem[], sent: number | null | undefined, before = 0): number => {
  const count = items.length || (sent ?? before);
  if ((sent ?? count) !== count) throw invalidValue('items_count', `items_count is calculated. Leave it out, or send ${count}.`);
  return count;
};

/** Time zone of an account without one. */
const defaultTimezone = 'UTC';

/** Returns the record of a new sale. `timezone` is the account's. */
export const makeQuickSale = (
  { date, gross_sales, items_count, ...fields }: QuickSaleInput,
  id: string,
  now: string,
  timezone: string | null,
): QuickSale => {
  const gross = gross_sales ?? worth(fields.items);
  return {
    ...fields,
    id,
    date: dayOf(date ?? now, timezone ?? defaultTimezone),
    gross_sales: gross,
    net_amount: addMoney(gross, -fields.gross_cost),
    items_count: countOf(fields.items, items_count),
    created_at: now,
    updated_at: now,
    deleted_at: null,
  };
};

/**
 * Returns the record after a change. If items are sent, the fields that are calculated from them
 * change too.
 */
export const changeQuickSale = (sale: QuickSale, changes: QuickSaleChanges, updated_at: string, timezone: string | null): QuickSale => {
  const changed = {
    ...sale,
    ...changes,
    date: changes.date === undefined ? sale.date : dayOf(changes.date, timezone ?? defaultTimezone),
    updated_at,
  };
  const follows = changes.items ? { gross_sales: worth(changes.items), items_count: 0 } : sale;
  const gross_sales = changes.gross_sales ?? follows.gross_sales;
  return {
    ...changed,
    gross_sales,
    net_amount: addMoney(gross_sales, -changed.gross_cost),
    items_count: countOf(changed.items, changes.items_count, follows.items_count),
  };
};
