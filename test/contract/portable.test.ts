import { describe, expect, test } from '@jest/globals';
import { openApi } from '../support/openapi.ts';

interface Found {
  readonly path: string;
  readonly schema: any;
}

const excluded = new Set(['example', 'examples', 'default', 'const', 'enum', 'servers', 'discriminator']);

/** Every schema of the document with its path; values inside examples are not schemas. */
const schemasIn = (node: any, path: string, isSchema: boolean): Found[] => {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one, at) => schemasIn(one, `${path}/${at}`, isSchema));
  const own = isSchema ? [{ path, schema: node }] : [];
  const inner = Object.entries<any>(node).flatMap(([name, value]) => {
    const at = `${path}/${name}`;
    if (name === 'properties' || name === 'schemas')
      return Object.entries(value).flatMap(([key, one]) => schemasIn(one, `${at}/${key}`, true));
    return excluded.has(name) ? [] : schemasIn(value, at, ['schema', 'items', 'additionalProperties', 'anyOf', 'oneOf'].includes(name));
  });
  return [...own, ...inner];
};

const all = schemasIn(openApi, '', false);
const pathsWhere = (rule: (schema: any) => boolean): string[] => all.flatMap(({ path, schema }) => (rule(schema) ? [path] : []));
const isNamed = (path: string): boolean => /^\/components\/schemas\/\w+$/.test(path);
const typesOf = ({ type }: any): unknown[] => [type].flat();
const others = (forms: any[] = []): any[] => forms.filter(({ type }) => type !== 'null');

describe('rules of the second document for client generators', () => {
  test('the second document has constants, numbers, enums, unions and maps', () => {
    for (const has of ['const', 'enum', 'anyOf', 'additionalProperties']) expect(pathsWhere((schema) => has in schema)).not.toEqual([]);
    expect(pathsWhere((schema) => schema.format === 'double').length).toBeGreaterThan(50);
  });

  test('a constant has a type', () => {
    expect(pathsWhere((schema) => 'const' in schema && typeof schema.const !== schema.type)).toEqual([]);
  });

  test('a number has the format double', () => {
    expect(pathsWhere((schema) => typesOf(schema).includes('number') && schema.format !== 'double')).toEqual([]);
  });

  test('a date-time has no pattern', () => {
    expect(pathsWhere((schema) => schema.format === 'date-time' && 'pattern' in schema)).toEqual([]);
  });

  test('an enum, a map and a union have a name', () => {
    const needs = (schema: any): boolean =>
      'enum' in schema ||
      ('additionalProperties' in schema && !('properties' in schema)) ||
      others(schema.anyOf ?? schema.oneOf).length > 1;
    expect(pathsWhere(needs).filter((path) => !isNamed(path))).toEqual([]);
  });

  test('an enum of the second document has no null, because the place that allows null says so', () => {
    expect(pathsWhere((schema) => schema.enum?.includes(null))).toEqual([]);
  });

  test('a union has forms of different types', () => {
    const ambiguous = pathsWhere(({ anyOf }) => {
      const types = others(anyOf).flatMap(({ type }) => type ?? []);
      return new Set(types).size < types.length;
    });
    expect(ambiguous).toEqual([]);
  });
});
