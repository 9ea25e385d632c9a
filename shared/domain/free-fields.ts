import * as v from 'valibot';
import { bounds, byType, finiteNumber, jsonObject, markup, maxCharacters, plainString, verbatim } from '../core/fields.ts';
import { foldCase, hasAtMostCharacters } from '../core/text.ts';

const maxFields = 50;
const maxFieldLength = 500;

/**
 * The parser drops these names, because they would change an object's prototype. They are rejected,
 * so that no data is lost silently.
 */
const reserved = ['__proto__', 'prototype', 'constructor'];

/** The table rejects empty names. */
const name = v.pipe(
  v.string(),
  v.check((text) => text !== '', 'must have a name'),
  v.check((text) => !reserved.includes(text), 'has a reserved name; rename it'),
  v.check((text) => !text.includes('\0'), 'must not have a NUL character in its name'),
  v.check((text) => text.isWellFormed(), 'must not have half of a surrogate pair in its name'),
  maxCharacters(bounds.text, `must have a name of at most ${bounds.text} characters`),
  v.metadata({ minLength: 1, maxLength: bounds.text }),
);

/**
 * Checks the names of an object's free-form fields. Must come before the object's schema, which
 * skips reserved names.
 */
export const validFieldNames = v.rawCheck<Record<string, unknown>>(({ dataset, addIssue }) => {
  if (!dataset.typed) return;
  const { value: input } = dataset;
  for (const key of Object.keys(input)) {
    const { issues } = v.safeParse(name, key);
    if (issues) return addIssue({ message: issues[0].message, path: [{ type: 'object', origin: 'key', input, key, value: input[key] }] });
  }
});

/** Makes a schema for an object with free-form fields, up to a maximum number. */
const freeFieldsOf = <Value extends v.GenericSchema>(value: Value) =>
  v.pipe(
    jsonObject,
    v.check((fields) => Object.keys(fields).length <= maxFields, `must have at most ${maxFields} members`),
    v.metadata({ maxProperties: maxFields }),
    validFieldNames,
    v.record(name, value),
  );

const fieldText = markup(maxFieldLength);

/** `metadata`: up to 50 texts of up to 500 characters, by name. */
export const metadata = () => freeFieldsOf(fieldText);

/**
 * An address as one text, or as an object with fields such as `line1` and `city`. It is returned as
 * the caller sent it.
 */
export type Address = string | Readonly<Record<string, string | null>>;

export const address = () =>
  byType({ string: markup(), object: freeFieldsOf(v.nullable(fieldText)) }, 'must be a text or an object of texts');

/** Returns the address on one line, for people. */
export const addressText = (value: Address): string =>
  typeof value === 'string' ? value : Object.values(value).filter(Boolean).join(', ');

const fieldTexts = v.pipe(v.array(fieldText), v.maxLength(maxFields, `must have at most ${maxFields} entries`));

/**
 * `custom_fields`: a text, number, boolean or list of texts by key. The operation checks the keys
 * against the account's settings.
 */
export const customFieldValues = () =>
  freeFieldsOf(
    byType(
      { null: v.null(), boolean: v.boolean(), number: finiteNumber(), string: fieldText, array: fieldTexts },
      'must be a text, a number, true, false or a list of texts',
    ),
  );

const storedValue = byType(
  { null: v.null(), boolean: v.boolean(), number: finiteNumber(), string: verbatim(bounds.markup) },
  'must be a JSON value',
);

/** Maximum nesting of a value that no schema describes. */
const maxLevels = 10;

/** Returns what keeps a JSON value from being stored as it was sent, or undefined. */
const problemOf = (value: unknown, level = 1): string | undefined => {
  if (typeof value !== 'object' || value === null) return v.safeParse(storedValue, value).issues?.[0].message;
  if (level > maxLevels) return `must be nested at most ${maxLevels} levels deep`;
  for (const [key, inner] of Object.entries(value)) {
    const problem = (Array.isArray(value) ? undefined : v.safeParse(name, key).issues?.[0].message) ?? problemOf(inner, level + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** A JSON value of any form, which is stored as it was sent. */
export const anyValue = () =>
  v.pipe(
    v.unknown(),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? problemOf(dataset.value) : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );

const invisible = /[\p{C}\p{Default_Ignorable_Code_Point}\s\u2800]/u;
const localPart = /^(?:"[^"@<>]+"|[^",:;?@<>]+)$/u;
const domainLabel = /^(?!-)[^",:;?@<>]{1,63}(?<!-)$/u;

const isEmail = (text: string): boolean => {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  const isLocal = localPart.test(local) && hasAtMostCharacters(local, 64);
  return isLocal && labels.length > 1 && labels.every((label) => domainLabel.test(label)) && !invisible.test(text);
};

/** A trimmed email address. Markup in it is an error and is never removed (decisions §3). */
export const email = () =>
  v.pipe(
    plainString,
    // The lookup key of the email (`emailKey`) must also fit, because NFC normalization can make a text longer.
    v.check(
      (text) => hasAtMostCharacters(text, bounds.email) && hasAtMostCharacters(foldCase(text), bounds.email),
      `must be at most ${bounds.email} characters long`,
    ),
    v.metadata({ maxLength: bounds.email, format: 'email' }),
    v.check(isEmail, 'must be an email address'),
  );
