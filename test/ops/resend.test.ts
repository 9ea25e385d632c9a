import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import type { Hook } from '../support/receiver.ts';
import { shared } from '../support/shared.ts';
import { errorOf, run } from './command.ts';

const journey = shared(() => startJourney({ regions: ['us'] }));
let merchant: Merchant;
let hooks: readonly Hook[];
let ids: readonly string[];
let event: string;

const arrived = (count: number) =>
  Promise.all(
    hooks.map(({ requests }) =>
      eventually(
        () => requests.length,
        (length) => length >= count,
      ),
    ),
  );
beforeAll(async () => {
  merchant = await journey.merchant();
  hooks = [journey.receiver.hook(), journey.receiver.hook()];
  ids = await Promise.all(hooks.map(async ({ url }) => (await merchant.act('webhook.create', { url, events: ['expense.created'] })).id));
  await merchant.act('expense.create', { amount: 5, date: '2026-03-01', category: 'rent' });
  await arrived(1);
  event = String(hooks[0]?.requests[0]?.headers['x-webhook-id']);
});

const resend = (...args: string[]) =>
  run(['resend', ...args, '--port', String(journey.runtime.port), '--region', 'us', '--account', merchant.account]);

test('every endpoint that had the event gets the same bytes again, and none that came later', async () => {
  await merchant.act('webhook.create', { url: journey.receiver.hook().url, events: ['expense.created'] });
  const { code, stdout } = await resend(event);
  const { resent, ...rest } = JSON.parse(stdout);
  expect({ code, rest, resent: resent.sort() }).toEqual({ code: 0, rest: { event, disabled: [] }, resent: [...ids].sort() });
  await arrived(2);
  for (const { requests } of hooks) expect(requests[1]?.body).toEqual(requests[0]?.body);
});

test('ops resend --endpoint uses one endpoint; without it, a disabled one is named and left out', async () => {
  const [first = '', second = ''] = ids;
  expect(JSON.parse((await resend(event, '--endpoint', first)).stdout)).toMatchObject({ resent: [first] });
  await merchant.act('webhook.disable', { id: first });
  expect(errorOf(await resend(event, '--endpoint', first))).toMatchObject({ code: 'conflict' });
  expect(JSON.parse((await resend(event)).stdout)).toEqual({ event, resent: [second], disabled: [first] });
  await merchant.act('webhook.disable', { id: second });
  expect(errorOf(await resend(event))).toMatchObject({ code: 'conflict', message: expect.stringContaining(first) });
});

describe('invalid arguments', () => {
  test.each([
    ['no event', [], { code: 'invalid_value', field: 'event' }],
    ['two events', ['evt_1', 'evt_2'], { code: 'invalid_value', field: 'event' }],
    ['an unknown event', ['evt_none'], { code: 'not_found', message: 'No endpoint has a delivery of evt_none.' }],
  ])('ops resend rejects %s', async (_, args, expected) => {
    expect(errorOf(await resend(...args))).toMatchObject(expected);
  });
});
