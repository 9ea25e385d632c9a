import { expect, test } from '@jest/globals';
import type { Notice } from '../../shared/domain/account/notice.ts';
import { connectNoticeBus } from '../../shared/providers/notice-bus.ts';
import { shared } from '../support/shared.ts';
import { credentials, startApiServer } from './api-server.ts';

const api = shared(startApiServer);

const bus = () => connectNoticeBus({ region: 'eu', client: { endpoint: api.endpoint, region: 'eu-west-1', credentials } });
const noticeOf = (number: number): Notice => ({
  id: `ntc_${number}`,
  account: 'acct_1',
  type: 'Webhook Endpoint Disabled',
  endpoint: 'whe_1',
  reason: 'consecutive_failures',
  time: '2026-03-10T09:30:00.000Z',
});
const accepted = (count: number) => ({
  FailedEntryCount: 0,
  Entries: Array.from({ length: count }, (_, i) => ({ EventId: `event-${i}` })),
});

test('a notice is sent to the default bus, with its kind as detail-type and only the fields of decisions §7', async () => {
  api.script({ body: accepted(1) });
  expect(await bus().publish([noticeOf(1)])).toEqual([noticeOf(1)]);
  const { Entries } = JSON.parse(api.calls.at(-1)?.body ?? '{}');
  const { type: _, ...detail } = noticeOf(1);
  expect(Entries).toEqual([{ Source: 'bakery-commerce.eu', DetailType: 'Webhook Endpoint Disabled', Detail: JSON.stringify(detail) }]);
});

test('a response of 200 with failed entries accepts only the others', async () => {
  const Entries = [{ EventId: 'event-1' }, { ErrorCode: 'InternalFailure', ErrorMessage: 'later' }];
  api.script({ body: { FailedEntryCount: 1, Entries } });
  expect(await bus().publish([noticeOf(1), noticeOf(2)])).toEqual([noticeOf(1)]);
});

test('a call has at most ten entries', async () => {
  api.script({ body: accepted(10) }, { body: accepted(1) });
  expect(await bus().publish(Array.from({ length: 11 }, (_, i) => noticeOf(i)))).toHaveLength(11);
  expect(api.calls.map(({ body }) => JSON.parse(body).Entries.length)).toEqual([10, 1]);
});
