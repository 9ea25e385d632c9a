import { expect } from '@jest/globals';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { deliver } from '../../../functions/deliver/app.ts';
import { fanOut } from '../../../functions/fan-out/app.ts';
import { searchSync } from '../../../functions/search-sync/app.ts';
import { sweep } from '../../../functions/sweep/app.ts';
import type { FunctionName } from '../../../lib/functions.ts';
import type { Item } from '../../../local/engine/commands/values.ts';
import { imageOf } from '../../../local/engine/encoding.ts';
import { encodeSearchMessage } from '../../../shared/domain/product/search.ts';
import { connectNoticeBus } from '../../../shared/providers/notice-bus.ts';
import { connectParkingLot } from '../../../shared/providers/parking.ts';
import { connectScheduler } from '../../../shared/providers/scheduler.ts';
import { connectActions, nameBeside } from '../../../shared/providers/siblings.ts';
import { encodeMessage } from '../../../shared/webhooks/message.ts';
import { resultOfStatus } from '../../../shared/webhooks/outcome.ts';
import { openCounter, pendingCard } from '../../checkout-page/page.ts';
import { writeProduct } from '../../support/products.ts';
import { endpointNow, takeSlots } from '../../support/records.ts';
import { searchSettings } from '../../support/requests.ts';
import { expense, type Flow, type Stage } from './stage.ts';

const log = (): void => {};

/** The work of each function behind a queue, the stream or a schedule, including rare calls. */
export const pipelineFlows = (stage: Stage) => {
  const { world, gate, variable, queue, secrets, putSecret, createAccountWithKey, createEndpoint, createDelivery } = stage;
  const search = { ...searchSettings, admin_key: 'ssm:search/admin_key' };

  /** Returns the stream records of the items that the work writes. */
  const recordsOf = async (work: () => Promise<unknown>): Promise<DynamoDBRecord[]> => {
    world.wire.reset();
    await work();
    const images = world.wire.calls.filter(({ operation }) => operation === 'PutItem').map(({ input }) => imageOf(input['Item'] as Item));
    return images.map((image, i) => ({
      eventID: `change-${i}`,
      eventName: 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: world.clock.now() / 1000,
        SequenceNumber: String(i),
        Keys: { pk: image['pk'], sk: image['sk'] },
        NewImage: image,
      },
    })) as DynamoDBRecord[];
  };

  return {
    async 'fan-out'() {
      const { account, key } = await createAccountWithKey();
      for (const path of ['a', 'b']) await createEndpoint(key, path);
      await world.store.commit([world.store.accounts.putSettingsWrite(account, { search })]);
      const records = await recordsOf(async () => {
        await world.request('POST', '/expenses', { key, body: expense });
        await writeProduct(world, account);
      });
      expect(records).toHaveLength(2);
      const gone = await createAccountWithKey();
      await createEndpoint(gone.key);
      const late = await recordsOf(() => world.request('POST', '/expenses', { key: gone.key, body: expense }));
      await world.store.commit([world.store.erasures.accountWrite(gone.account, [])]);
      const [first] = records;
      const unreadable = { ...first, dynamodb: { ...first?.dynamodb, NewImage: { type: { S: 'nothing' } } } } as DynamoDBRecord;
      const handler = fanOut({
        ...world,
        log,
        queue: queue('fan-out', 'DELIVERY_QUEUE_URL'),
        searchQueue: queue('fan-out', 'SEARCH_QUEUE_URL'),
        parking: connectParkingLot({ bucket: gate.bucketName, client: gate.client }),
      });
      return async () => {
        const done = { batchItemFailures: [] };
        // Twice: the second time all records exist.
        for (const _ of [1, 2]) expect(await handler({ Records: records })).toEqual(done);
        expect(await handler({ Records: [unreadable, ...late] })).toEqual(done);
      };
    },
    async deliver() {
      const { account, key } = await createAccountWithKey();
      const endpoint = await createEndpoint(key);
      const [delivered, failing] = [await createDelivery(account, endpoint), await createDelivery(account, endpoint)];
      const redelivery = await world.store.deliveries.restart(await createDelivery(account, endpoint), world.clock.now());
      let status = 500;
      const sender = { send: async () => resultOfStatus(status, 1), close: () => {} };
      const scheduler = connectScheduler({
        queueUrl: variable('deliver', 'DELIVERY_QUEUE_URL'),
        groupName: variable('deliver', 'SCHEDULE_GROUP'),
        roleArn: variable('deliver', 'SCHEDULER_ROLE_ARN'),
        client: gate.client,
      });
      const handler = deliver({ ...world, log, sender, queue: queue('deliver', 'DELIVERY_QUEUE_URL'), scheduler });
      const attempts = [
        [delivered.id, 0],
        [failing.id, 0],
        [delivered.id, 0],
        // After the second failure the retry waits in Scheduler.
        [failing.id, 1],
      ] as const;
      const more = await Promise.all(Array.from({ length: 6 }, () => createDelivery(account, endpoint)));
      const doomed = await Promise.all(Array.from({ length: 10 }, () => createDelivery(account, endpoint)));
      const other = await createAccountWithKey();
      const busy = await createEndpoint(other.key);
      const waiting = await createDelivery(other.account, busy);
      await takeSlots(world, await endpointNow(world, { account: other.account, id: busy }), 5);
      const messageOf = (event: string, attempt: number, to = { account, endpoint }) => ({
        messageId: event,
        body: encodeMessage({ ...to, event, run: 1, attempt }),
        attributes: { ApproximateReceiveCount: '1' },
      });
      const handle = async (messages: readonly { readonly messageId: string; readonly body: string }[]) =>
        expect(await handler({ Records: messages as SQSRecord[] })).toEqual({ batchItemFailures: [] });
      return async () => {
        for (const [event, attempt] of attempts) await handle([messageOf(event, attempt)]);
        await handle([{ ...messageOf(redelivery.event, 0), body: encodeMessage(redelivery) }]);
        // The sixth reuses a slot; all slots of another endpoint are taken.
        status = 200;
        await handle([...more.map(({ id }) => messageOf(id, 0)), messageOf(waiting.id, 0, { account: other.account, endpoint: busy })]);
        // Ten failures in a row disable the endpoint, which stores a notice.
        status = 500;
        for (const { id } of doomed) await handle([messageOf(id, 0)]);
      };
    },
    async 'search-sync'() {
      const { account } = await createAccountWithKey();
      await world.store.commit([world.store.accounts.putSettingsWrite(account, { search })]);
      putSecret(account, 'search/admin_key', 'admin');
      const { id } = await writeProduct(world, account);
      const sender = { send: async () => resultOfStatus(201, 1), close: () => {} };
      const handler = searchSync({ ...world, log, secrets: secrets('search-sync'), sender });
      return async () => {
        const body = encodeSearchMessage({ account, product: id });
        expect(await handler({ Records: [{ messageId: '1', body } as SQSRecord] })).toEqual({ batchItemFailures: [] });
      };
    },
    async sweep() {
      const { account, key } = await createAccountWithKey();
      await createDelivery(account, await createEndpoint(key), world.clock.now() - 3_600_000);
      await world.createKey(account, { expires_at: new Date(world.clock.now() + 3_600_000).toISOString() });
      const noticeBus = connectNoticeBus({ region: 'us', client: gate.client });
      await world.store.commit([world.store.erasures.accountWrite(account, [])]);
      const counter = await openCounter(world);
      await counter.pay(pendingCard);
      const waiting = { erased_at: new Date(world.clock.now()).toISOString(), stage: 0, position: null, counts: {}, held: 1 };
      const { id, account: shop } = await counter.session();
      const person = { id: 'cus_1', email: null, phone: null, name: null };
      await world.store.commit([world.store.erasures.beginWrite(shop, person.id, { ...waiting, person, awaited: [id] })]);
      world.clock.advance(15 * 60_000 + 1);
      const act = connectActions({ functionName: nameBeside('BakeryCommerce-us-sweep', 'actions'), client: gate.client });
      const handler = sweep({
        ...world,
        region: 'us',
        sender: world.services.sender,
        log,
        startAction: act,
        noticeBus,
        queue: queue('sweep', 'DELIVERY_QUEUE_URL'),
      });
      return async () => {
        expect((await handler()).requeued).toBeGreaterThan(0);
      };
    },
  } satisfies Partial<Record<FunctionName, Flow>>;
};
