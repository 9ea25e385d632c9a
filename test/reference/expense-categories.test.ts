import { expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);

const ids = [
  ...['ingredients', 'packaging', 'equipment', 'utilities', 'rent', 'wages', 'marketing', 'delivery', 'insurance', 'bank_fees'],
  ...['software', 'professional_services', 'repairs_maintenance', 'cleaning', 'training', 'travel', 'licenses_permits', 'taxes', 'other'],
];

const labels: Readonly<Record<string, string>> = {
  bank_fees: 'Bank fees',
  professional_services: 'Professional services',
  repairs_maintenance: 'Repairs & maintenance',
  licenses_permits: 'Licenses & permits',
};

const get = async (type: 'secret' | 'publishable', query = '') =>
  world.request('GET', `/reference/expense-categories${query}`, { key: await world.createKey((await world.createAccount()).id, { type }) });

test.each(['secret', 'publishable'] as const)('a %s key gets the 19, in order, each with id, label and description', async (type) => {
  const { status, body } = await get(type);
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['expense_categories']);
  const label = (id: string) => labels[id] ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
  expect(body.expense_categories).toEqual(ids.map((id) => ({ id, label: label(id), description: expect.stringMatching(/\S/) })));
});

test('the response permits its caller alone to cache it for an hour', async () => {
  expect((await get('publishable')).headers['Cache-Control']).toBe('private, max-age=3600');
});

test('the list of categories is the same for every account, and no parameter changes it', async () => {
  const texts = await Promise.all([get('secret'), get('secret'), get('publishable', '?limit=1&cursor=x&scope=y')]);
  expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
});
