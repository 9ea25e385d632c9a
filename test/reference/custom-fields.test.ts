import { describe, expect, test } from '@jest/globals';
import { customFieldTypes } from '../../shared/domain/enumerations.ts';
import { invalidValue, useReference } from './shop.ts';

const t = useReference();

const fields = async (query = '', type: 'secret' | 'publishable' = 'secret') =>
  (await t.read(`/reference/custom-fields${query}`, type)).fields;
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);

const full = {
  id: 'f1',
  key: 'frosting',
  name: 'Frosting',
  type: 'select',
  required: true,
  options: ['vanilla', 'lemon'],
  scopes: ['product', 'order'],
};

test('an account without settings has no custom fields', async () => {
  expect(await fields()).toEqual([]);
});

test('a secret key reads a definition as authored, and whether it is internal', async () => {
  await t.put({
    custom_fields: [
      { ...full, active: true, internal: false },
      { ...full, id: 'f2', internal: true },
    ],
  });
  expect(await fields()).toEqual([
    { ...full, internal: false },
    { ...full, id: 'f2', internal: true },
  ]);
});

test('a publishable key reads none that are internal, and no such member', async () => {
  await t.put({
    custom_fields: [
      { ...full, internal: true },
      { ...full, id: 'f2', internal: false },
      { ...full, id: 'f3' },
    ],
  });
  for (const query of ['', '?scope=order', '?scope=product'])
    expect(await fields(query, 'publishable')).toEqual([
      { ...full, id: 'f2' },
      { ...full, id: 'f3' },
    ]);
});

test.each([
  ['absent', { id: 'f1' }],
  ['null', { id: 'f1', key: null, name: null, type: null, required: null, options: null, scopes: null, active: null, internal: null }],
  ['empty', { id: 'f1', key: '', name: '', options: [], scopes: [] }],
])('fields that are %s have their defaults', async (_title, field) => {
  await t.put({ custom_fields: [field] });
  const fallbacks = { id: 'f1', key: 'f1', name: '', type: 'text', required: false, options: [], scopes: [] };
  expect(await fields()).toEqual([{ ...fallbacks, internal: false }]);
  expect(await fields('', 'publishable')).toEqual([fallbacks]);
});

test.each(customFieldTypes)('a custom field keeps the type %s', async (type) => {
  await t.put({ custom_fields: [{ id: 'f1', type }] });
  expect(await fields()).toEqual([expect.objectContaining({ type })]);
});

test('inactive definitions are not shown', async () => {
  await t.put({
    custom_fields: [
      { ...full, active: false },
      { ...full, id: 'f2' },
    ],
  });
  for (const type of ['secret', 'publishable'] as const) expect(idsOf(await fields('', type))).toEqual(['f2']);
});

describe('scopes', () => {
  const custom_fields = [
    { id: 'a', scopes: ['customer', 'kitchen', 'order'] },
    { id: 'b', scopes: ['kitchen'] },
    { id: 'c', scopes: ['product'] },
    { id: 'd' },
  ];

  test('scopes contain external ones only, as authored', async () => {
    await t.put({ custom_fields });
    for (const type of ['secret', 'publishable'] as const)
      expect((await fields('', type)).map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([
        ['customer', 'order'],
        [],
        ['product'],
        [],
      ]);
  });

  test.each([
    ['order', ['a']],
    ['product', ['c']],
    ['customer', ['a']],
  ])('%s lists the definitions of that scope', async (scope, ids) => {
    await t.put({ custom_fields });
    for (const type of ['secret', 'publishable'] as const) expect(idsOf(await fields(`?scope=${scope}`, type))).toEqual(ids);
  });

  test.each(['kitchen', 'Order', '', 'orders'])('GET /reference/custom-fields rejects the scope %j', async (scope) => {
    await t.put({ custom_fields });
    const { status, body } = await t.get(`/reference/custom-fields?scope=${scope}`);
    expect([status, body]).toEqual([400, invalidValue('scope')]);
  });
});
