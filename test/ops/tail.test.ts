import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';
import { run, startCommand } from './command.ts';

const journey = shared(() => startJourney({ regions: ['us', 'eu'] }));
let merchant: Merchant;
let other: Merchant;
beforeAll(async () => {
  [merchant, other] = await Promise.all([journey.merchant(), journey.merchant()]);
});

const here = () => ['--port', String(journey.runtime.port), '--region', 'us', '--account', merchant.account];
const start = (...args: string[]) => startCommand(['tail', ...here(), ...args], /Following/);

test("each request of the account is a line with the caller's X-Request-Id and the rejected field; requests of another account are not shown", async () => {
  const tail = await start();
  const notFound = await merchant.call('GET', '/orders/ord_none');
  await other.call('GET', '/orders');
  const made = await merchant.call('POST', '/expenses', { amount: 5, date: '2026-03-01', category: 'rent' });
  const rejected = await merchant.call('POST', '/expenses', { amount: -5 });
  const lines = await eventually(tail.lines, ({ length }) => length >= 3);
  expect(await tail.stop()).toBe(0);
  const time = String.raw`\d\d:\d\d:\d\d`;
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${time}  GET     /orders/{id} +404 +\\d+ ms  ${notFound.headers['x-request-id']}  not_found$`)),
    expect.stringMatching(new RegExp(`^${time}  POST    /expenses +201 +\\d+ ms  ${made.headers['x-request-id']}$`)),
    expect.stringMatching(
      new RegExp(`^${time}  POST    /expenses +400 +\\d+ ms  ${rejected.headers['x-request-id']}  invalid_value amount$`),
    ),
  ]);
});

describe('an end of ops tail', () => {
  test('ops tail prints one sentence when the service ends', async () => {
    const short = await startJourney({ regions: ['us'], seed: true });
    const tail = await startCommand(['tail', '--port', String(short.runtime.port)], /Following the requests of Maple Street Bakery/);
    await short.stop();
    expect(await tail.ended).toBe(1);
    expect(JSON.parse(tail.stderr().split('\n').slice(1).join('\n')).error).toMatchObject({
      message: expect.stringMatching(/^The service at http:\/\/127\.0\.0\.1:\d+ cannot be reached /),
    });
  });

  test.each([
    ['a word too much', ['all'], 'tail'],
    ['a region that does not run', ['--region', 'au'], 'region'],
  ])('ops tail rejects %s', async (_, args, field) => {
    const { code, stderr } = await run(['tail', '--port', String(journey.runtime.port), ...args]);
    expect([code, JSON.parse(stderr).error.field]).toEqual([1, field]);
  });
});
