import * as v from 'valibot';

/** The schemas of which declarations of fields say what a caller may send. */
export { optional } from 'valibot';
export {
  calendarDate,
  currency,
  finiteNumber,
  flag,
  httpsUrl,
  listOf,
  markup,
  money,
  namedRecord,
  notNegativeMoney,
  oneOf,
  optionalRecordId,
  optionalText,
  orNull,
  positiveMoney,
  record,
  recordId,
  requiredText,
  tags,
  verbatim,
  withDefault,
} from '../core/fields.ts';
export { address, customFieldValues, email, metadata } from './free-fields.ts';

const maxQuantity = 100_000;

const clockTimePattern = /^([01]\d|2[0-3]):[0-5]\d$/;
export const isClockTime = (text: string): boolean => clockTimePattern.test(text);
export const clockTime = () => v.pipe(v.string('must be a string'), v.regex(clockTimePattern, 'must be a time, HH:MM'));

export const quantity = () =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(maxQuantity, `must be at most ${maxQuantity}`),
  );
