import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { shared } from '../support/shared.ts';
import { startWorld } from '../support/world.ts';

const world = shared(startWorld);
let key: string;
beforeAll(async () => {
  key = await world.createKey((await world.createAccount()).id);
});
// Each test has the requests of a whole minute.
beforeEach(() => world.clock.advance(60_000));

/** Parameters that take times. Those of the first list also take epoch seconds. */
const epoch = ['/orders?created_after', '/orders?created_before', '/expenses?date_from', '/expenses?date_to'];
const iso = ['/customers?updated_after', '/products?updated_after', '/expenses?updated_after'];

const statusOf = async (parameter: string, text: string, encode: (text: string) => string = encodeURIComponent) => {
  const { status, body } = await world.request('GET', `${parameter}=${encode(text)}`, { key });
  return status === 200 ? status : [status, body.error.field === parameter.split('?')[1]];
};
const sendExpense = (date: string) => world.request('POST', '/expenses', { key, body: { amount: 1, category: 'rent', date } });

/** Each form, and the time that it means. */
const valid = [
  ['2026-03-05', '2026-03-05T00:00:00.000Z'],
  ['20260305', '2026-03-05T00:00:00.000Z'],
  ['2026-03-05T10:20', '2026-03-05T10:20:00.000Z'],
  ['2026-03-05t10:20:30', '2026-03-05T10:20:30.000Z'],
  ['2026-03-05T10:20:30Z', '2026-03-05T10:20:30.000Z'],
  ['2026-03-05t10:20:30z', '2026-03-05T10:20:30.000Z'],
  ['2026-03-05t10:20z', '2026-03-05T10:20:00.000Z'],
  ['2026-03-05T10:20:30.123456789z', '2026-03-05T10:20:30.000Z'],
  ['2026-03-05t10:20:30.5+02:00', '2026-03-05T08:20:30.000Z'],
] as const;
const invalid = [
  ...['2026-02-29', '2026-W10-4', '2026-064', '20260305T102030Z', '2026-03-05T10:20:60Z', '2026-03-05T24:00Z', 'soon'],
  ...['2026-03-05T10:20:30.1234567890Z', '2026-03-05T10', '2026-03-05z', '2026-03-05T10:20:30ZZ'],
];

describe('times', () => {
  test.each(valid)('a body and every time parameter accept %s', async (text, time) => {
    const { status, body } = await sendExpense(text);
    expect([status, body.date]).toEqual([201, time]);
    for (const parameter of [...epoch, ...iso]) expect([parameter, await statusOf(parameter, text)]).toEqual([parameter, 200]);
  });

  test.each(invalid)('a body and every time parameter reject %s', async (text) => {
    expect(await sendExpense(text)).toMatchObject({ status: 400, body: { error: { code: 'invalid_value', field: 'date' } } });
    for (const parameter of [...epoch, ...iso]) expect([parameter, await statusOf(parameter, text)]).toEqual([parameter, [400, true]]);
  });

  test('digits are epoch seconds, except for updated_after, which takes ISO 8601 only', async () => {
    const { body } = await sendExpense('1772668800');
    expect(body.date).toBe('2026-03-05T00:00:00.000Z');
    for (const parameter of epoch) expect(await statusOf(parameter, '1772668800')).toBe(200);
    for (const parameter of iso) expect(await statusOf(parameter, '1772668800')).toEqual([400, true]);
  });

  test('a space in a time is a lost plus in a query, and an error in a body', async () => {
    for (const parameter of [...epoch, ...iso]) {
      expect(await statusOf(parameter, '2026-03-05t10:20:30 02:00')).toBe(200);
      expect(await statusOf(parameter, '2026-03-05T10:20:30+02:00', (text) => text)).toBe(200);
    }
    expect((await sendExpense('2026-03-05T10:20:30 02:00')).status).toBe(400);
  });
});
