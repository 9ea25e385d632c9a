import { expect, test } from '@jest/globals';
import { cause, samplesOn, type Writer } from '../../ops/event-causes.ts';
import { eventTypes } from '../../shared/domain/event/types.ts';
import { faultsOfPayload } from '../contract/specification.ts';
import { eventually, type Merchant, startJourney } from '../support/journey.ts';
import { shared } from '../support/shared.ts';

const journey = shared(() => startJourney({ regions: ['us'] }));

const writerOf = (merchant: Merchant): Writer => ({
  act: merchant.act,
  create: async (what, body) => (await merchant.call('POST', `/${what}s`, body)).body,
});

test.each(eventTypes)('%s reaches its subscriber with exactly the documented payload fields', async (type) => {
  const merchant = await journey.merchant();
  const hook = journey.receiver.hook();
  await merchant.call('POST', '/webhooks', { url: hook.url, events: [type] });
  const id = await cause(type, writerOf(merchant), samplesOn(Date.now()), {});
  await eventually(
    () => hook.requests.length,
    (count) => count > 0,
  );
  const [request] = hook.requests;
  const event = JSON.parse(request?.body.toString() ?? '');
  expect(event).toEqual({
    id: request?.headers['x-webhook-id'],
    type,
    created: expect.any(Number),
    api_version: 'v1',
    data: { object: expect.objectContaining({ id }) },
    tenant_id: merchant.account,
  });
  expect(faultsOfPayload(type, event.data.object)).toEqual([]);
});
