import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Account } from '../../shared/domain/account/record.ts';
import type { DeliveryRecord, Endpoint } from '../../shared/domain/webhook/record.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { type Hook, type Receiver, startReceiver } from './receiver.ts';
import { createEndpoint, endpointNow, recordsOf, writeExpense } from './records.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

/**
 * Context of a test of deliveries: one world per file, a new account with an endpoint and its
 * receiver per test.
 */
export interface DeliveryTest {
  readonly world: World;
  readonly pipeline: Pipeline;
  readonly receiver: Receiver;
  readonly account: Account;
  readonly hook: Hook;
  readonly endpoint: Endpoint;
  /**
   * Creates the state in which each test starts: a new account with an endpoint and a receiver, and
   * empty queues.
   */
  reset(): Promise<void>;
  /** Writes expenses and takes them as far as the queue. */
  publish(count?: number): Promise<void>;
  /** Makes the attempts of the retry schedule up to this one, each at its time. The first is due. */
  attempts(count?: number): Promise<void>;
  /** Returns the endpoint's only delivery record. */
  record(): Promise<DeliveryRecord>;
  records(): Promise<readonly DeliveryRecord[]>;
  /** Returns the stored endpoint. */
  endpointNow(): Promise<Endpoint>;
  isoAfter(ms: number): string;
}

export const minuteMs = 60_000;

export { until } from './eventually.ts';

/** Call once at the top of a test file; the members are set before each test. */
export const useDelivery = (options: WorldOptions = {}): DeliveryTest => {
  const parts = {} as { -readonly [Name in keyof DeliveryTest]: DeliveryTest[Name] };
  beforeAll(async () => {
    parts.world = await startWorld(options);
    parts.receiver = await startReceiver();
    parts.pipeline = createPipeline(parts.world);
  });
  afterAll(async () => {
    parts.pipeline.close();
    await parts.receiver.stop();
    await parts.world.stop();
  });
  const reset = async () => {
    parts.world.wire.intercept(undefined);
    await parts.pipeline.clear();
    parts.account = await parts.world.createAccount();
    parts.hook = parts.receiver.hook();
    parts.endpoint = await createEndpoint(parts.world, parts.account.id, parts.hook.url);
  };
  beforeEach(reset);
  return Object.assign(parts, {
    reset,
    async publish(count = 1) {
      for (let i = 0; i < count; i++) await writeExpense(parts.world, parts.account.id);
      await parts.pipeline.fanOut(await parts.pipeline.changes());
    },
    async attempts(count = 5) {
      for (const minutes of [0, 5, 30, 120, 1440].slice(0, count)) {
        parts.world.clock.advance(minutes * minuteMs);
        await parts.pipeline.drain();
      }
    },
    async record() {
      const [record, ...others] = await recordsOf(parts.world, parts.endpoint);
      if (!record || others.length > 0) throw new Error(`${record ? others.length + 1 : 0} records.`);
      return record;
    },
    records: () => recordsOf(parts.world, parts.endpoint),
    endpointNow: () => endpointNow(parts.world, parts.endpoint),
    isoAfter: (ms: number) => new Date(parts.world.clock.now() + ms).toISOString(),
  });
};
