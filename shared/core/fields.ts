import * as v from 'valibot';
import { bounds } from './bounds.ts';
import { ApiError } from './errors.ts';
import { stripHtml } from './html.ts';
import { maxAmount, roundMoney } from './money.ts';
import { endOfDay, isCalendarDate, parseIso, parseMoment, parseSeconds, type Rounding } from './time.ts';

/**
 * Building blocks of body and query schemas: one bound, one spelling and one message per kind of
 * field (decisions §3). `v.metadata` holds the JSON Schema keywords of rules that are code here;
 * the OpenAPI document is generated from them.
 */

export { bounds };

/** Length as people count it: code points, not UTF-16 units. */
export const atMost = (max: number, message = `must be at most ${max} characters long`) =>
  v.check((text: string) => text.length <= max || (text.length <= 2 * max && [...text].length <= max), message);

/** Text as it was sent, without white space around it. */
export const plainString = v.pipe(
  v.string('must be a string'),
  v.check((text) => !text.includes('\0'), 'must not contain NUL characters'),
  v.transform((text) => text.toWellFormed().trim()),
);

/**
 * Text without HTML, trimmed; bounded before it is stripped, so that no text is long enough to be
 * slow.
 */
export const text = (max: number = bounds.text) =>
  v.pipe(
    plainString,
    atMost(max),
    v.metadata({ maxLength: max }),
    v.transform((value) => stripHtml(value).trim()),
  );

/** A text that must not be empty. */
export const requiredText = (max: number = bounds.text) => v.pipe(text(max), v.minLength(1, 'must not be empty'));

const blankIsNull = v.transform((value: string) => value || null);

/** A text that may be absent; a blank text is null. */
export const optionalText = (max: number = bounds.text) => orNull(v.pipe(text(max), blankIsNull));

/**
 * A text that identifies a record: trimmed, but HTML stays, so that no other record is found
 * (decisions §3).
 */
export const lookupText = () => v.pipe(plainString, atMost(bounds.text), v.metadata({ maxLength: bounds.text }));

/** The id of a record. */
export const recordId = () => v.pipe(lookupText(), v.minLength(1, 'must not be empty'));

/** The id of a record, or null if it is blank or absent. */
export const optionalRecordId = () => orNull(v.pipe(lookupText(), blankIsNull));

/**
 * The text of a URL, or of a template of one (RFC 6570), trimmed; what it may point at is judged
 * elsewhere.
 */
export const url = (format: 'uri' | 'uri-template' = 'uri') =>
  v.pipe(plainString, atMost(bounds.url), v.metadata({ maxLength: bounds.url, format }), v.minLength(1, 'must not be empty'));

/** A URL that browsers are given: HTTPS, without credentials, as the URL standard writes it. */
export const httpsUrl = () =>
  v.pipe(
    url(),
    v.check((value) => browserUrl(value) !== undefined, 'must be an HTTPS URL without credentials'),
    v.transform((value) => new URL(value).href),
    v.maxLength(bounds.url, `must be at most ${bounds.url} characters long, also percent-encoded`),
  );

/** Text that keeps its markup, trimmed. */
export const markup = (max: number = bounds.markup) => v.pipe(plainString, atMost(max), v.metadata({ maxLength: max }));

/** A field that may be absent or null; both give null. */
export const orNull = <Schema extends v.GenericSchema>(schema: Schema) => v.nullish(schema, null);

const belowMax = { exclusiveMinimum: -maxAmount, exclusiveMaximum: maxAmount };

/** A number that the store keeps exactly as it was sent. */
export const finiteNumber = () =>
  v.pipe(
    v.number('must be a number'),
    v.check((value) => Math.abs(value) < maxAmount, `must be smaller than ${maxAmount}`),
    v.check((value) => value === 0 || Math.abs(value) >= 1e-9, 'must be 0 or at least 1e-9 away from 0'),
    v.metadata(belowMax),
  );

/** The least that is rounded up to `maxAmount`. */
const leastTooMuch = 999_999_999_999.995;

/** A number rounded to 2 decimals, and then below the bound. */
export const money = () =>
  v.pipe(
    v.number('must be a number'),
    v.check((amount) => Math.abs(amount) < leastTooMuch, `must be smaller than ${maxAmount} in whole cents`),
    v.metadata({ exclusiveMinimum: -leastTooMuch, exclusiveMaximum: leastTooMuch }),
    v.transform((amount) => roundMoney(amount)),
  );

/** An amount that is still above 0 after rounding. */
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

/** Three letters in any case; uppercase afterwards. */
export const currency = () =>
  v.pipe(
    text(),
    // Judged first: some letters outside ASCII have capitals within it.
    v.regex(/^[A-Za-z]{3}$/, 'must be a currency code of three letters'),
    v.transform((value) => value.toUpperCase()),
  );

const dayPattern = '\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])';
const timePattern = 'T([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d{1,9})?)?(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)?';
const momentPattern = { pattern: `^(\\d{1,11}|${dayPattern}(${timePattern})?)$` };
const isoPattern = { pattern: `^(\\d{8}|${dayPattern}(${timePattern})?)$` };

/** A text that is a time to `read`, white space around it aside. */
const timeOf = (read: (text: string) => number | undefined, message: string, keywords: Readonly<Record<string, unknown>>) =>
  v.pipe(
    v.string('must be a string'),
    v.check((value) => read(value.trim()) !== undefined, message),
    v.metadata(keywords),
    v.transform((value) => read(value.trim()) as number),
  );

const isMoment = 'must be an ISO 8601 date or epoch seconds';

/** ISO 8601 or a string of epoch seconds, as whole epoch seconds. */
export const seconds = (rounding?: Rounding) => timeOf((text) => parseSeconds(text, rounding), isMoment, momentPattern);

/** The same, as milliseconds. */
export const momentMs = (rounding?: Rounding) => timeOf((text) => parseMoment(text, rounding), isMoment, momentPattern);

/** ISO 8601 alone, as milliseconds. */
export const isoMs = (rounding?: Rounding) => timeOf((text) => parseIso(text, rounding), 'must be an ISO 8601 timestamp', isoPattern);

/** A `+` that was not encoded is a space by now; in a body nothing is lost (decisions §3). */
const asSent = (text: string): string => text.trim().replace(/ (?=\d{2}(:?\d{2})?$)/, '+');

/** A time of a query. The first moment of a range takes a schema that rounds up. */
export const inQuery = <Schema extends v.GenericSchema<string, number>>(time: Schema) => v.pipe(v.string(), v.transform(asSent), time);

/** The last moment of a range: a date without a time takes in its whole UTC day. */
export const untilInQuery = <Schema extends v.GenericSchema<string, number>>(time: Schema) =>
  v.pipe(
    v.string('must be a string'),
    v.transform((text) => endOfDay(asSent(text))),
    time,
  );

/** `YYYY-MM-DD` that exists in the calendar. */
export const calendarDate = () =>
  v.pipe(v.string('must be a string'), v.check(isCalendarDate, 'must be a calendar date, YYYY-MM-DD'), v.metadata({ format: 'date' }));

export const oneOf = <const Values extends readonly string[]>(values: Values) => v.picklist(values, `must be one of ${values.join(', ')}`);

/** Free-form tags: anything but an array is `[]`, empty ones are dropped. */
export const tags = () =>
  v.pipe(
    v.optional(v.unknown(), []),
    v.transform((value) => (Array.isArray(value) ? value : [])),
    v.array(text(bounds.tag)),
    v.maxLength(bounds.tags, `must have at most ${bounds.tags} entries`),
    v.transform((values) => values.filter((value) => value !== '')),
  );

/**
 * Text that is neither trimmed nor stripped: echoed unchanged, or matched exactly as a query
 * filter.
 */
export const verbatim = (max: number = bounds.text) =>
  v.pipe(
    v.string('must be a string'),
    v.check((value) => !value.includes('\0'), 'must not contain NUL characters'),
    v.transform((value) => value.toWellFormed()),
    atMost(max),
    v.metadata({ maxLength: max }),
  );

/** A value of a query filter. */
export const filterText = () => verbatim();

type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object';

const jsonType = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * A schema for each JSON type that is taken, so that a value hears what is wrong with its own kind;
 * `otherwise` is said of all others.
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

/** A JSON object. Rejects other values, null and arrays included. */
export const record = <const Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(jsonObject, v.object(entries, 'is required'));

/** The same under a name of its own in the OpenAPI document. */
export const namedRecord = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(jsonObject, v.object(entries, 'is required'), v.title(name));

/** A JSON object that keeps what else it has, as long as it fits `rest`. */
export const openRecord = <const Entries extends v.ObjectEntries, const Rest extends v.GenericSchema>(entries: Entries, rest: Rest) =>
  v.pipe(jsonObject, v.objectWithRest(entries, rest, 'is required'));

/** The same fields, all optional, for a change. An absent field stays as it is stored. */
export const partial = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  Object.fromEntries(Object.entries(entries).map(([name, schema]) => [name, v.exactOptional(schema as v.GenericSchema)])) as {
    readonly [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined>;
  };

/** Dotted; an entry of a list or a map is named by its index or key (decisions §3). */
const fieldOf = (issue: v.BaseIssue<unknown>): string =>
  (issue.path ?? []).map((item) => ('key' in item ? String(item.key) : '')).join('.');

/**
 * Returns the parsed value. Throws `invalid_value` with the first invalid field; `whole` names the
 * value itself.
 */
export const parse = <Schema extends v.GenericSchema>(schema: Schema, value: unknown, whole = 'body'): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = fieldOf(issue);
  const missing = issue.input === undefined && issue.kind === 'schema';
  const problem = missing ? 'is required' : issue.message;
  throw new ApiError('invalid_value', field === '' ? `The ${whole} ${problem}.` : `${field} ${problem}.`, field === '' ? {} : { field });
};

const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * A URL that browsers are given, as the URL standard reads it: its `href` is absolute and ASCII,
 * whatever the spelling, so that every browser, header and page reads the same address. Undefined
 * for anything but HTTPS (or, where allowed, plain HTTP to this machine) and for credentials.
 */
export const browserUrl = (text: string, { allowLoopback = false } = {}): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === 'https:' || (allowLoopback && url?.protocol === 'http:' && loopbackHost.test(url.hostname));
  return url && isSafe && url.username === '' && url.password === '' ? url : undefined;
};
