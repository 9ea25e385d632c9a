import { describe, expect, test } from '@jest/globals';
import { keyTypes, useReference } from './shop.ts';

const t = useReference();

describe('payment methods', () => {
  test('payment methods are empty if none were ever configured', async () => {
    expect(await t.read('/reference/payment-methods')).toEqual({ payment_methods: [] });
  });

  test.each(keyTypes)('payment methods are the enabled ones, in order, with id and name only, to a %s key', async (type) => {
    await t.put({
      payment_methods: [
        { id: 'zelle', name: 'Zelle', enabled: true },
        { id: 'cash', name: 'Cash', enabled: false },
        { id: 'card', name: 'Card <at pickup>', enabled: true },
      ],
    });
    const payment_methods = [
      { id: 'zelle', name: 'Zelle' },
      { id: 'card', name: 'Card <at pickup>' },
    ];
    expect(await t.read('/reference/payment-methods', type)).toEqual({ payment_methods });
  });
});

describe('event categories', () => {
  const defaults = ['Wedding', 'Birthday', 'Anniversary', 'Baby shower', 'Corporate', 'Holiday', 'Other'];

  test.each([
    ['never configured', {}],
    ['configured as none', { event_categories: [] }],
  ])('event categories are the defaults of the dashboard if %s', async (_title, settings) => {
    await t.put(settings);
    for (const type of keyTypes)
      expect(await t.read('/reference/event-categories', type)).toEqual({ event_categories: defaults.map((name) => ({ name })) });
  });

  test('event categories are the names configured, without colour', async () => {
    await t.put({ event_categories: [{ name: 'Quinceañera', colour: '#ff0000' }, { name: 'Farewell' }, { name: 'Launch', colour: null }] });
    const event_categories = [{ name: 'Quinceañera' }, { name: 'Farewell' }, { name: 'Launch' }];
    for (const type of keyTypes) expect(await t.read('/reference/event-categories', type)).toEqual({ event_categories });
  });
});

test("no account sees another's settings", async () => {
  await t.put({ event_categories: [{ name: 'Ours' }] });
  const key = await t.world.createKey((await t.world.createAccount()).id);
  const { text } = await t.world.request('GET', '/reference/event-categories', { key });
  expect(text).not.toContain('Ours');
});
