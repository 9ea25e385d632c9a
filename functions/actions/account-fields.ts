import * as v from 'valibot';
import { text } from '../../shared/core/fields.ts';

/** Orders per month; null is no limit. */
export const orderLimit = () =>
  v.nullable(v.pipe(v.number('must be a number'), v.safeInteger('must be a whole number'), v.minValue(0, 'must not be negative')));

const isTimezone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

/** A name of the IANA time zone database. */
export const timezone = () => v.pipe(text(), v.check(isTimezone, 'must be an IANA time zone, as Europe/Berlin'));
