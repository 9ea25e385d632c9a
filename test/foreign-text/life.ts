import { expect } from '@jest/globals';
import { freeTextsOf, inputs, rejectedField, samples, withText } from '../contract/inputs.ts';
import { type ForeignText, foreignTexts, longest, storedText } from './texts.ts';

/** `any`: responses of every shape. */
type Json = any;

/** A text that a request sends, where every view of its record shows it. */
export interface Expected {
  readonly path: readonly string[];
  readonly text: string;
}

export interface Filled {
  readonly body: Json;
  readonly expected: readonly Expected[];
}

/** The texts, and the longest text that a field takes. */
const texts = [...foreignTexts, undefined];
/** In every round each field has another text. All texts go through an operation of nine fields or more. */
const step = 9;
export const rounds = Array.from({ length: Math.ceil(texts.length / step) }, (_, round) => round);

/** Ids of records that must exist, and of a slot that must. */
const lookups = /(^|\.)(id|order_id|customer_id|product_id|variant_id|delivery_time)$/;
const isOwnId = /^(variants|payment_methods|time_slots|blocked_dates|recurring_rules|custom_fields|supplier)\./;

const maxima = [20_000, 500, 255, 64, 50];
const longestFor = (schema: Json, valid: Json, field: string): string => {
  const max = maxima.find((length) => rejectedField(schema, withText(valid, field, longest(length))) === undefined);
  if (max === undefined) throw new Error(`${field} takes no text.`);
  return longest(max);
};

interface Field {
  readonly name: string;
  readonly longest: string;
}
const known = new Map<string, readonly Field[]>();

/** Returns the free texts of a route or action, except for ids of records that must exist. */
const fieldsOf = (operation: string, valid: Json): readonly Field[] => {
  const schema = inputs.find(({ name }) => name === operation)?.schema;
  const fields =
    known.get(operation) ??
    freeTextsOf(schema, valid)
      .filter((name) => !lookups.test(name) || isOwnId.test(name))
      .map((name) => ({ name, longest: longestFor(schema, valid, name) }));
  known.set(operation, fields);
  return fields;
};

/** The values of free-form objects are named so. */
export const fieldName = 'a';

/** A round, or a pass with one plain text. */
export type Round = number | 'plain';

const plainText: ForeignText = { sent: 'Rye' };
const textOf = (round: Round, i: number): ForeignText | undefined =>
  round === 'plain' ? plainText : texts[(round * step + i) % texts.length];

/** Returns a body with a difficult text in every field. `valid` is a body that the operation accepts. */
export const fill = (operation: string, round: Round, valid: Json = samples[operation]): Filled => {
  const all = fieldsOf(operation, valid);
  // A value that is a text or an object of texts takes turns.
  const isInner = ({ name }: Field) => all.some((other) => name.startsWith(`${other.name}.`));
  const isOuter = ({ name }: Field) => all.some((other) => other.name.startsWith(`${name}.`));
  const fields = all.filter((field) => !(Number(round) % 2 === 0 ? isOuter : isInner)(field));
  const sendings = fields.map((field, i) => {
    const text = textOf(round, i);
    const sent = text?.sent ?? field.longest;
    return { field: field.name, sent, text: text ? storedText(operation, field.name, text) : sent };
  });
  const body = sendings.reduce((inner, { field, sent }) => withText(inner, field, sent), valid);
  const expected = sendings.map(({ field, text }) => ({ path: field.split('.'), text }));
  const named = textOf(round, 0)?.sent ?? longest(255);
  const takesName = body.metadata && !['__proto__', 'prototype', 'constructor'].includes(named);
  if (!takesName) return { body, expected };
  return {
    body: { ...body, metadata: { ...body.metadata, [named]: 'x' } },
    expected: [...expected, { path: ['metadata', named], text: 'x' }],
  };
};

/** Returns the value at a path. */
export const at = (value: Json, path: readonly string[]): Json =>
  path.reduce((inner, name) => (Object.hasOwn(Object(inner), name) ? inner[name] : undefined), value);

/** Expects every text in at least one of the views, and unchanged in each that has its field. */
export const expectShown = (what: string, expected: readonly Expected[], views: readonly unknown[]): void => {
  for (const { path, text } of expected) {
    const shown = views.map((view) => at(view, path)).filter((value) => value !== undefined);
    expect({ what, path, shown: [...new Set(shown)] }).toEqual({ what, path, shown: [text] });
  }
};
