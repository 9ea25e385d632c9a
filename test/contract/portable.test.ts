import { describe, expect, test } from '@jest/globals';
import { openApi } from '../support/openapi.ts';

interface Found {
  readonly place: string;
  readonly schema: any;
}

const keptOut = new Set(['example', 'examples', 'default', 'const', 'enum', 'servers', 'discriminator']);

/** Every schema of the document with its path; values inside examples are not schemas. */
const schemasIn = (node: any, place: string, isSchema: boolean): Found[] => {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one, at) => schemasIn(one, `${place}/${at}`, isSchema));
  const own = isSchema ? [{ place, schema: node }] : [];
  const inner = Object.entries<any>(node).flatMap(([name, value]) => {
    const at = `${place}/${name}`;
    if (name === 'properties' || name === 'schemas')
      return Object.entries(value).flatMap(([key, one]) => schemasIn(one, `${at}/${key}`, true));
    return keptOut.has(name) ? [] : schemasIn(value, at, ['schema', 'items', 'additionalProperties', 'anyOf', 'oneOf'].includes(name));
  });
  return [...own, ...inner];
};

const all = schemasIn(openApi, '', false);
const placesWhere = (rule: (schema: any) => boolean): string[] => all.flatMap(({ place, schema }) => (rule(schema) ? [place] : []));
const isNamed = (place: string): boolean => /^\/components\/schemas\/\w+$/.test(place);
const typesOf = ({ type }: any): unknown[] => [type].flat();
const others = (forms: any[] = []): any[] => forms.filter(({ type }) => type !== 'null');

describe('rules of the second document for client generators', () => {
  test('the second document has constants, numbers, enums, unions and maps', () => {
    for (const has of ['const', 'enum', 'anyOf', 'additionalProperties']) expect(placesWhere((schema) => has in schema)).not.toEqual([]);
    expect(placesWhere((schema) => schema.format === 'double').length).toBeGreaterThan(50);
  });

  test('a constant has a type', () => {
    expect(placesWhere((schema) => 'const' in schema && typeof schema.const !== schema.type)).toEqual([]);
  });

  test('a number has the format double', () => {
    expect(placesWhere((schema) => typesOf(schema).includes('number') && schema.format !== 'double')).toEqual([]);
  });

  test('a date-time has no pattern', () => {
    expect(placesWhere((schema) => schema.format === 'date-time' && 'pattern' in schema)).toEqual([]);
  });

  test('an enum, a map and a union have a name', () => {
    const needs = (schema: any): boolean =>
      'enum' in schema ||
      ('additionalProperties' in schema && !('properties' in schema)) ||
      others(schema.anyOf ?? schema.oneOf).length > 1;
    expect(placesWhere(needs).filter((place) => !isNamed(place))).toEqual([]);
  });

  test('an enum of the second document has no null, because the place that allows null says so', () => {
    expect(placesWhere((schema) => schema.enum?.includes(null))).toEqual([]);
  });

  test('a union has forms of different types', () => {
    const alike = placesWhere(({ anyOf }) => {
      const types = others(anyOf).flatMap(({ type }) => type ?? []);
      return new Set(types).size < types.length;
    });
    expect(alike).toEqual([]);
  });
});
