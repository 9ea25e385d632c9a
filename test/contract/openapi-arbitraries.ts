import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { openApi } from '../support/openapi.ts';

/** `any`: these tests inspect schemas and values of every shape. */
type Json = any;

const refine = (text: fc.Arbitrary<string>, { maxLength, minLength = 0 }: Json): fc.Arbitrary<string> =>
  text.filter((value) => value.length >= minLength && (maxLength === undefined || value.length <= maxLength));

const moment = () =>
  fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }).map((date) => date.toISOString());

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  date: () => moment().map((text) => text.slice(0, 10)),
  'date-time': moment,
  uri: () => fc.webUrl({ validSchemes: ['https'] }),
  email: () => fc.emailAddress(),
};

const textOf = (schema: Json): fc.Arbitrary<string> => {
  if (formats[schema.format]) return refine(formats[schema.format]?.() ?? fc.string(), schema);
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern));
  return refine(fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.constantFrom('2026-03-01', '1772323200', '<b>x</b>')), schema);
};

const numberOf = ({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Json): fc.Arbitrary<number> => {
  const [min, max] = [minimum ?? exclusiveMinimum ?? -1e9, maximum ?? exclusiveMaximum ?? 1e9];
  return type === 'integer'
    ? fc.integer({ min, max: Math.min(max, 2 ** 31 - 1) })
    : fc.double({ min, max, noNaN: true, minExcluded: true, maxExcluded: true });
};

const objectOf = ({ properties = {}, required = [], additionalProperties }: Json, stray: number): fc.Arbitrary<object> => {
  const arbitraries = Object.fromEntries(Object.entries<Json>(properties).map(([name, schema]) => [name, arbitraryOf(schema, stray)]));
  const known = fc.record(arbitraries, { requiredKeys: stray > 0 ? [] : required });
  const named =
    typeof additionalProperties === 'object'
      ? fc.dictionary(fc.string(), arbitraryOf(additionalProperties, stray), { maxKeys: 3 })
      : fc.constant({});
  return fc.tuple(known, named).map(([own, more]) => ({ ...more, ...own }));
};

const properly = (schema: Json, stray: number): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one: Json) => arbitraryOf(one, stray)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => properly({ ...schema, type }, stray)));
  if (schema.type === 'object') return objectOf(schema, stray);
  if (schema.type === 'array') return fc.array(arbitraryOf(schema.items ?? {}, stray), { minLength: schema.minItems ?? 0, maxLength: 5 });
  if (schema.type === 'string') return textOf(schema);
  if (schema.type === 'number' || schema.type === 'integer') return numberOf(schema);
  if (schema.type === 'boolean') return fc.boolean();
  return schema.type === 'null' ? fc.constant(null) : fc.jsonValue();
};

/**
 * Values of a schema in the document. In `stray` of ten cases each part is an arbitrary value
 * instead.
 */
export const arbitraryOf = (schema: Json, stray = 0): fc.Arbitrary<unknown> => {
  if (schema.$ref) return arbitraryOf(openApi.components.schemas[schema.$ref.split('/').at(-1)], stray);
  const proper = properly(schema, stray);
  return stray === 0 ? proper : fc.oneof({ weight: 10 - stray, arbitrary: proper }, { weight: stray, arbitrary: fc.jsonValue() });
};
