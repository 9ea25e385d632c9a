import { describe, expect, test } from '@jest/globals';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { approveCard, openCounter } from '../checkout-page/page.ts';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';
import { openShop, thursday } from './shop.ts';

/** The clock of a world only moves forward, so the cases are in order of time. */
const world = shared(startWorld);
const setClock = (iso: string) => world.clock.advance(Date.parse(iso) - world.clock.now());

type Slots = NonNullable<Settings['time_slots']>;
const openWith = (time_slots: Slots, timezone: string | null = 'UTC') =>
  openShop(world, { account: { timezone }, settings: { time_slots, checkout: { gateway: 'sandbox', delivery_fee: 4 } } });

describe('delivery_time', () => {
  const twins: Slots = {
    delivery: [
      { id: 'early', label: 'Van', start: '09:00', end: '10:00', multiplier: 1, available_days: [5] },
      { id: 'van', label: 'Van', start: '09:00', end: '12:00', multiplier: 1 },
      { id: 'bike', label: 'Bike', start: '09:00', end: '10:00', multiplier: 2 },
      { id: 'door', label: 'At the door', multiplier: 3 },
      { start: '15:00', multiplier: 0.5 },
    ],
  };
  test.each<[string, string | null, number, string | null]>([
    ['a start, of which the first slot offered that day counts', '09:00', 4, '09:00'],
    ['the id of the second slot with that start', 'bike', 8, '09:00'],
    ['the id of a slot without a start', 'door', 12, null],
    ['no time for a slot without a start', null, 12, null],
    ['the id by position of a slot without an id', 'ds_migrated_4', 2, '15:00'],
  ])('delivery_time takes %s', async (_, delivery_time, fee, start) => {
    const shop = await openWith(twins);
    const counter = await openCounter(world, {
      shop,
      fields: { delivery_type: 'delivery', delivery_time, delivery_address: '1 Mill Lane' },
    });
    expect((await counter.session()).delivery_fee).toBe(fee);
    await counter.pay(approveCard);
    expect((await counter.made()).orders[0]).toMatchObject({ delivery_fee: fee, delivery_time: start });
  });

  test('the page shows the slot that was chosen by its id, also after the settings have changed', async () => {
    const shop = await openWith(twins);
    const counter = await openCounter(world, {
      shop,
      fields: { delivery_type: 'delivery', delivery_time: 'bike', delivery_address: '1 Mill Lane' },
    });
    await world.store.commit([world.store.accounts.putSettingsWrite(shop.account.id, {})]);
    expect((await counter.visit('GET', counter.path)).text).toMatch(/<br>9:00.–.10:00.AM · Bike<\/p>/u);
    await counter.pay(approveCard);
    expect((await counter.session()).status).toBe('paid');
  });

  test.each<[string, string | null, Slots]>([
    ['of a slot of another day', 'early', twins],
    ['that no slot has', 'tram', twins],
    ['of another type', 'van', { ...twins, pickup: [{ id: 'shop', start: '08:00' }] }],
    ['that is missing, if every slot has a start', null, { pickup: [{ id: 'a', start: '08:00' }] }],
    ['that is no time, if the account has no slots of the type', 'soon', {}],
  ])('POST /checkout rejects a delivery_time %s', async (_, delivery_time, slots) => {
    const shop = await openWith(slots);
    const delivery_type = slots === twins ? 'delivery' : 'pickup';
    const { status, body } = await shop.open({ delivery_type, delivery_time });
    expect([status, body.error?.field]).toEqual([400, 'delivery_time']);
  });
});

describe('a slot of today', () => {
  const spring = '2031-03-09';
  const autumn = '2031-11-02';
  const slots: Slots = {
    pickup: [
      { id: 'morning', start: '08:00', end: '11:00' },
      { id: 'later', start: '08:00', end: '12:00', multiplier: 2 },
      { id: 'noon', start: '12:00' },
      { id: 'night', start: '22:00', end: '00:00' },
      { id: 'any', label: 'Any time' },
      { id: 'until', end: '02:30' },
    ],
  };
  test.each<[string, string | null, string, string, number]>([
    ['2030-03-14T10:59:59Z', 'UTC', thursday, 'morning', 201],
    ['2030-03-14T11:00:00Z', 'UTC', thursday, 'morning', 400],
    ['2030-03-14T11:00:00Z', 'UTC', thursday, '08:00', 201],
    ['2030-03-14T11:00:00Z', 'UTC', '2030-03-15', 'morning', 201],
    ['2030-03-14T11:59:00Z', 'UTC', thursday, '12:00', 201],
    ['2030-03-14T12:00:00Z', 'UTC', thursday, '08:00', 400],
    ['2030-03-14T12:30:00Z', 'UTC', thursday, '12:00', 400],
    ['2030-03-14T12:30:00Z', 'Australia/Sydney', thursday, 'night', 201],
    ['2030-03-14T12:30:00Z', 'America/New_York', thursday, 'morning', 201],
    ['2030-03-14T23:59:00Z', 'UTC', thursday, 'night', 201],
    ['2030-03-14T23:59:00Z', 'UTC', thursday, 'any', 201],
    ['2030-03-14T23:59:00Z', null, thursday, '12:00', 201],
    ['2030-03-14T23:59:00Z', null, thursday, 'morning', 400],
    ['2030-03-15T11:59:00Z', null, thursday, 'night', 201],
    ['2030-03-15T12:00:00Z', null, thursday, 'night', 400],
    [`${spring}T06:59:00Z`, 'America/New_York', spring, 'until', 201],
    [`${spring}T07:00:00Z`, 'America/New_York', spring, 'until', 400],
    [`${spring}T14:59:00Z`, 'America/New_York', spring, 'morning', 201],
    [`${spring}T15:00:00Z`, 'America/New_York', spring, 'morning', 400],
    [`${autumn}T15:59:00Z`, 'America/New_York', autumn, 'morning', 201],
    [`${autumn}T16:00:00Z`, 'America/New_York', autumn, 'morning', 400],
  ])('at %s in %s, POST /checkout for %s and %s gives %i', async (now, timezone, delivery_date, delivery_time, expected) => {
    setClock(now);
    const shop = await openWith(slots, timezone);
    const { status, body } = await shop.open({ delivery_date, delivery_time });
    expect([status, body.error?.field]).toEqual([expected, expected === 201 ? undefined : expect.stringMatching(/^delivery_(date|time)$/)]);
  });

  test('a session whose slot ends meanwhile stays payable', async () => {
    setClock('2032-01-01T10:30:00Z');
    const shop = await openWith(slots);
    const counter = await openCounter(world, { shop, fields: { delivery_date: '2032-01-01', delivery_time: 'morning' } });
    world.clock.advance(3_600_000);
    await counter.pay(approveCard);
    expect((await counter.session()).status).toBe('paid');
  });
});
