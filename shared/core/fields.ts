import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { stripHtml } from './html.ts';
import { maxAmount, roundMoney } from './money.ts';
import { bounds, browserUrl, hasAtMostCharacters } from './text.ts';
import { endOfDay, isCalendarDate, parseIso, parseMoment, parseSeconds, type Rounding } from './time.ts';

/**
 * Building blocks for the schemas of bodies and queries: one per kind of field, with its limit and
 * error message (decisions §3). Where code enforces a rule, `v.metadata` states the same rule as
 * JSON Schema keywords for the OpenAPI document.
 */

export { bounds };

/** Limits the length in characters (code points). */
export const maxCharacters = (max: number, message = `must be at most ${max} characters long`) =>
  v.check((text: string) => hasAtMostCharacters(text, max), message);

const withoutNul = v.pipe(
  v.string('must be a string'),
  v.check((text) => !text.includes('\0'), 'must not contain NUL characters'),
);

/**
 * Text that can be stored and returned unchanged. UTF-8 cannot encode half of a surrogate pair
 * (`"\ud83c"` in JSON), so such a text would come back as another one.
 */
const storable = v.pipe(
  withoutNul,
  v.check((text) => text.isWellFormed(), 'must not contain half of a surrogate pair'),
);

/** Trimmed text. */
export const plainString = v.pipe(
  storable,
  v.transform((text) => text.trim()),
);

/**
 * Trimmed text without HTML. The length is checked before HTML is removed, so that a very long text
 * costs no processing time.
 */
export const text = (max: number = bounds.text) =>
  v.pipe(
    plainString,
    maxCharacters(max),
    v.metadata({ maxLength: max }),
    v.transform((value) => stripHtml(value).trim()),
  );

/** Text without HTML that must not be empty. */
export const requiredText = (max: number = bounds.text) => v.pipe(text(max), v.minLength(1, 'must not be empty'));

const blankIsNull = v.transform((value: string) => value || null);

/** Text without HTML that may be absent. A blank text becomes null. */
export const optionalText = (max: number = bounds.text) => orNull(v.pipe(text(max), blankIsNull));

/**
 * Trimmed text that identifies a record. HTML stays, because removing it could name another record
 * (decisions §3).
 */
export const lookupText = () => v.pipe(plainString, maxCharacters(bounds.text), v.metadata({ maxLength: bounds.text }));

/** The id of a record. */
export const recordId = () => v.pipe(lookupText(), v.minLength(1, 'must not be empty'));

/** The id of a record, or null if it is blank or absent. */
export const optionalRecordId = () => orNull(v.pipe(lookupText(), blankIsNull));

const urlOf = (text: typeof withoutNul | typeof storable, format: 'uri' | 'uri-template') =>
  v.pipe(
    text,
    v.transform((value) => value.trim()),
    maxCharacters(bounds.url),
    v.metadata({ maxLength: bounds.url, format }),
    v.minLength(1, 'must not be empty'),
  );

/** Trimmed text of a URL that is kept as it is sent. The caller checks the address itself. */
export const url = () => urlOf(storable, 'uri');

/**
 * Trimmed text of a URL or of a URL template (RFC 6570) that the caller stores as the URL standard
 * writes it. The standard has a way to write half of a surrogate pair.
 */
export const rewrittenUrl = (format: 'uri' | 'uri-template' = 'uri') => urlOf(withoutNul, format);

/** An HTTPS URL without credentials for browsers, normalized by the URL standard. */
export const httpsUrl = () =>
  v.pipe(
    rewrittenUrl(),
    v.check((value) => browserUrl(value) !== undefined, 'must be an HTTPS URL without credentials'),
    v.transform((value) => new URL(value).href),
    v.maxLength(bounds.url, `must be at most ${bounds.url} characters long, also percent-encoded`),
  );

/** Trimmed text that keeps its markup. */
export const markup = (max: number = bounds.markup) => v.pipe(plainString, maxCharacters(max), v.metadata({ maxLength: max }));

/** Makes a field optional. An absent field and null both become null. */
export const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null);

/** Makes a field optional. An absent field and null both become `value`. */
export const withDefault = <Schema extends v.GenericSchema, const Value extends v.InferOutput<Schema>>(schema: Schema, value: Value) =>
  v.nullish(schema, value);

export const flag = () => v.boolean('must be true or false');

const belowMax = { exclusiveMinimum: -maxAmount, exclusiveMaximum: maxAmount };

/** A finite number, which is stored exactly as sent. */
export const finiteNumber = () =>
  v.pipe(
    v.number('must be a number'),
    v.check((value) => Math.abs(value) < maxAmount, `must be smaller than ${maxAmount}`),
    v.check((value) => value === 0 || Math.abs(value) >= 1e-9, 'must be 0 or at least 1e-9 away from 0'),
    v.metadata(belowMax),
  );

/** The smallest number that rounds up to `maxAmount`. */
const smallestRejectedAmount = 999_999_999_999.995;

/** A number, rounded to 2 decimals. The rounded number must be below `maxAmount`. */
export const money = () =>
  v.pipe(
    v.number('must be a number'),
    v.check((amount) => Math.abs(amount) < smallestRejectedAmount, `must be smaller than ${maxAmount} in whole cents`),
    v.metadata({ exclusiveMinimum: -smallestRejectedAmount, exclusiveMaximum: smallestRejectedAmount }),
    v.transform((amount) => roundMoney(amount)),
  );

/** An amount that is above 0 after rounding. */
export const positiveMoney = () =>
  v.pipe(
    money(),
    v.check((amount) => amount > 0, 'must be greater than 0'),
    v.metadata({ exclusiveMinimum: 0 }),
  );

/** An amount of 0 or above. */
export const notNegativeMoney = () =>
  v.pipe(
    money(),
    v.check((amount) => amount >= 0, 'must not be negative'),
    v.metadata({ minimum: 0, exclusiveMinimum: undefined }),
  );

/** A currency code of three letters, which becomes upper case. */
export const currency = () =>
  v.pipe(
    text(),
    // Checked before `toUpperCase`, which turns some letters outside ASCII into ASCII letters.
    v.regex(/^[A-Za-z]{3}$/, 'must be a currency code of three letters'),
    v.transform((value) => value.toUpperCase()),
  );

const dayPattern = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const timePattern = '[Tt]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d{1,9})?)?([Zz]|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)?';
const momentPattern = { pattern: `^(\\d{1,11}|${dayPattern}(${timePattern})?)$` };
const isoPattern = { pattern: `^(\\d{8}|${dayPattern}(${timePattern})?)$` };

/** A time field. `read` parses the trimmed text and returns undefined if the text is invalid. */
const timeOf = (read: (text: string) => number | undefined, message: string, keywords: Readonly<Record<string, unknown>>) =>
  v.pipe(
    v.string('must be a string'),
    v.check((value) => read(value.trim()) !== undefined, message),
    v.metadata(keywords),
    v.transform((value) => read(value.trim()) as number),
  );

const isMoment = 'must be an ISO 8601 date or epoch seconds';

/** ISO 8601 or a string of epoch seconds. Becomes whole epoch seconds. */
export const seconds = (rounding?: Rounding) => timeOf((text) => parseSeconds(text, rounding), isMoment, momentPattern);

/** ISO 8601 or a string of epoch seconds. Becomes epoch milliseconds. */
export const momentMs = (rounding?: Rounding) => timeOf((text) => parseMoment(text, rounding), isMoment, momentPattern);

/** ISO 8601 only. Becomes epoch milliseconds. */
export const isoMs = (rounding?: Rounding) => timeOf((text) => parseIso(text, rounding), 'must be an ISO 8601 timestamp', isoPattern);

/**
 * Restores each `+` that the caller did not encode. In a query it arrives as a space, which neither
 * a time nor an email address holds (decisions §3). Spaces around the text are dropped.
 */
const asSent = (text: string): string => text.trim().replaceAll(' ', '+');

/** A time or an email in a query. For the start of a range, pass a schema that rounds up. */
export const inQuery = <Schema extends v.GenericSchema<string, unknown>>(schema: Schema) => v.pipe(v.string(), v.transform(asSent), schema);

/** The end of a range in a body. A date without a time includes its whole UTC day. */
export const endOfRange = <Schema extends v.GenericSchema<string, number>>(time: Schema) =>
  v.pipe(
    v.string('must be a string'),
    v.transform((text) => endOfDay(text.trim())),
    time,
  );

/** The end of a range in a query. */
export const untilInQuery = <Schema extends v.GenericSchema<string, number>>(time: Schema) => inQuery(endOfRange(time));

/** A date `YYYY-MM-DD` that exists in the calendar. */
export const calendarDate = () =>
  v.pipe(v.string('must be a string'), v.check(isCalendarDate, 'must be a calendar date, YYYY-MM-DD'), v.metadata({ format: 'date' }));

export const oneOf = <const Values extends readonly string[]>(values: Values) => v.picklist(values, `must be one of ${values.join(', ')}`);

/** A list of free-form tags. Null becomes `[]`. Empty tags are dropped. */
export const tags = () =>
  v.pipe(
    v.nullish(listOf(text(bounds.tag), bounds.tags), []),
    v.transform((values) => values.filter((value) => value !== '')),
  );

/**
 * Text exactly as the caller sent it: not trimmed, HTML kept. Use it for text that is returned
 * unchanged, or that a query filter compares exactly.
 */
export const verbatim = (max: number = bounds.text) => v.pipe(storable, maxCharacters(max), v.metadata({ maxLength: max }));

/** A value of a query filter. */
export const filterText = () => verbatim();

type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

const jsonType = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * Selects a schema by the JSON type of the value, so that the error message fits that type. If no
 * schema accepts the type, the error message is `otherwise`.
 */
export const byType = <Schemas extends Partial<Record<JsonType, v.GenericSchema>>>(schemas: Schemas, otherwise: string) => {
  const none = v.never(otherwise);
  type Output = v.InferOutput<Extract<Schemas[keyof Schemas], v.GenericSchema>>;
  return v.pipe(
    v.lazy((value) => (schemas[jsonType(value) as keyof Schemas] ?? none) as v.GenericSchema<unknown, Output>),
    v.metadata({ alternatives: Object.values(schemas) }),
  );
};

export const jsonObject = v.custom<Record<string, unknown>>((value) => jsonType(value) === 'object', 'must be an object');

/** A list of up to `max` entries. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, max: number) =>
  v.pipe(v.array(schema, 'must be an array'), v.maxLength(max, `must have at most ${max} entries`));

/** A JSON object. Null and arrays are rejected. */
export const record = <const Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(jsonObject, v.object(entries, 'is required'));

/** A JSON object that the OpenAPI document lists under this name. */
export const namedRecord = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(jsonObject, v.object(entries, 'is required'), v.title(name));

/** A JSON object that keeps its other fields. Each of them must match `rest`. */
export const openRecord = <const Entries extends v.ObjectEntries, const Rest extends v.GenericSchema>(entries: Entries, rest: Rest) =>
  v.pipe(jsonObject, v.objectWithRest(entries, rest, 'is required'));

/** Makes every field optional, for a change. If a field is absent, its stored value stays. */
export const partial = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema as v.GenericSchema)])) as {
    readonly [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined>;
  };

/**
 * Returns the path of the invalid field, for example `items.0.quantity`. List entries are named by
 * index, map entries by key (decisions §3).
 */
const fieldOf = (issue: v.BaseIssue<unknown>): string =>
  (issue.path ?? []).map((item) => ('key' in item ? String(item.key) : '')).join('.');

/**
 * Returns the parsed value. Throws `invalid_value` for the first invalid field. If the error
 * concerns the whole value, the message calls the value `wholeName`, for example "The body must be …".
 */
export const parse = <Schema extends v.GenericSchema>(schema: Schema, value: unknown, wholeName = 'body'): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = fieldOf(issue);
  const missing = issue.input === undefined && issue.kind === 'schema';
  const problem = missing ? 'is required' : issue.message;
  throw new ApiError(
    'invalid_value',
    field === '' ? `The ${wholeName} ${problem}.` : `${field} ${problem}.`,
    field === '' ? {} : { field },
  );
};
