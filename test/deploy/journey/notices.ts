import assert from 'node:assert/strict';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Receiver } from '../../support/receiver.ts';
import { clientOf, type Emulator } from '../emulator.ts';
import { until } from '../until.ts';
import type { Shop } from './shop.ts';

/** Time for ten deliveries and for the sweep, which runs every minute, on a busy machine. */
const deadlineMs = 120_000;
const failuresThatDisable = 10;

/** A queue of the AWS account that receives what a rule for the region's notices matches. */
const listen = async ({ region }: Shop, emulator: Emulator) => {
  const client = clientOf(emulator, region);
  const [events, sqs] = [new EventBridgeClient(client), new SQSClient(client)];
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'platform-notices' }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const EventPattern = JSON.stringify({ source: [`bakery-commerce.${region}`] });
  await events.send(new PutRuleCommand({ Name: 'platform-notices', EventPattern }));
  await events.send(new PutTargetsCommand({ Rule: 'platform-notices', Targets: [{ Id: 'queue', Arn: Attributes?.['QueueArn'] }] }));
  const received: any[] = [];
  return {
    /** Every event so far. Nothing deletes a message, so one that is read twice counts twice. */
    async received() {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
      received.push(...Messages.map(({ Body = '' }) => JSON.parse(Body)));
      return received;
    },
    stop() {
      events.destroy();
      sqs.destroy();
    },
  };
};

/**
 * Expects the notices of a failing and then disabled endpoint and of a key that ends, by a rule on the default bus
 * of the AWS account.
 */
export const checkNotices = async (shop: Shop, receiver: Receiver, emulator: Emulator): Promise<void> => {
  const { check, call, act, account, region } = shop;
  await check('notices reach a rule and its target on the default event bus', async () => {
    const queue = await listen(shop, emulator);
    try {
      const { url } = receiver.hook(500);
      const { body: endpoint } = await call('POST', '/webhooks', { url, events: ['customer.created'] });
      const expires_at = new Date(Date.now() + 3 * 86_400_000).toISOString();
      const { id: key } = await act('key.create', { type: 'secret', group: 'fullAccess', name: 'Ends soon', expires_at });
      for (let i = 0; i < failuresThatDisable; i += 1) {
        const { status, body } = await call('POST', '/customers', { name: 'Robin', email: `robin${i}@example.com`, emit_webhooks: true });
        assert.equal(status, 201, JSON.stringify(body));
      }
      const types = ['Webhook Endpoint Failing', 'Webhook Endpoint Disabled', 'API Key Expiring'];
      const [failing, disabled, expiring] = await until('every notice arrives', deadlineMs, async () => {
        const events = await queue.received();
        const all = types.map((type) => events.find((event) => event['detail-type'] === type && event.detail.account === account));
        return all.every((event) => event !== undefined) && all;
      });
      const { id: failingId, time: _, ...first } = failing.detail;
      const last = { event_type: 'customer.created', last_status_code: 500, last_error: 'http_error' };
      assert.deepEqual(first, { account, endpoint: endpoint.id, reason: 'consecutive_failures', ...last });
      const { id, time, ...rest } = disabled.detail;
      assert.deepEqual(rest, { account, endpoint: endpoint.id, reason: 'consecutive_failures' });
      assert.equal(new Date(time).toISOString(), time);
      const { enabled, disabled_reason } = (await call('GET', `/webhooks/${endpoint.id}`)).body;
      assert.deepEqual([enabled, disabled_reason], [false, 'consecutive_failures']);
      assert.deepEqual([expiring.detail.key, expiring.detail.time, expiring.source], [key, expires_at, `bakery-commerce.${region}`]);
      const { data } = await act('notice.list', {});
      assert.deepEqual(new Set(data.map((notice: { id: string }) => notice.id)), new Set([failingId, id, expiring.detail.id]));
    } finally {
      queue.stop();
    }
  });
};
