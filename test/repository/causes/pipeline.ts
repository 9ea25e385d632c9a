import { sweep } from '../../../functions/sweep/app.ts';
import { useSearch } from '../../search-sync/shop.ts';
import { useDelivery } from '../../support/delivery.ts';
import { brokenConnection } from '../../support/faults.ts';
import { createEndpoint, writeExpense } from '../../support/records.ts';
import { sampleProduct } from '../../support/requests.ts';
import { type Caused, type Causes, linesOf, repeat } from './cause.ts';

type Delivery = ReturnType<typeof useDelivery>;
type Search = ReturnType<typeof useSearch>;

const broken = async ({ world }: Delivery, work: () => Promise<unknown>): Promise<void> => {
  world.wire.intercept(() => Promise.reject(brokenConnection()));
  await work();
  world.wire.intercept(undefined);
};

const repeatedMessage = async (t: Delivery): Promise<Caused> => {
  const unreadable = { id: 'message-x', body: '{}', groupId: t.account.id, visibleMs: 0 };
  const lines = await linesOf(t.world, async () => {
    await repeat(3, () => t.pipeline.deliver([unreadable]));
    await t.pipeline.clear();
    await t.publish();
    const messages = t.pipeline.receive();
    await broken(t, () => t.pipeline.deliver(messages));
    await t.publish(3);
    await t.pipeline.drain();
  });
  return { lines, culprit: { message: 'message-x' }, row: { failures: 3 } };
};

const slowEndpoint = async (t: Delivery): Promise<Caused> => {
  const lines = await linesOf(t.world, async () => {
    t.hook.respondWith(() => {
      t.world.clock.advance(25_000);
      return 'cut';
    });
    await t.publish();
    await t.pipeline.drain();
    for (const _ of [1, 2]) {
      const { id } = await t.world.createAccount();
      await createEndpoint(t.world, id, t.receiver.hook().url);
      await repeat(5, () => writeExpense(t.world, id));
    }
    await t.pipeline.drain();
  });
  return { lines, culprit: { account: t.account.id, endpoint: t.endpoint.id }, row: { attempts: 1 } };
};

const laterSweep = async (t: Delivery): Promise<Caused> => {
  t.world.clock.advance(24 * 60 * 60_000);
  await t.pipeline.sweep(); // finds what other causes have left
  const lines = await linesOf(t.world, async () => {
    await repeat(2, () => t.pipeline.sweep());
    await t.publish(2);
    t.pipeline.receive();
    for (const { account, endpoint, id: event, run, attempts: attempt } of await t.records())
      await t.world.store.deliveries.makeDueAt({ account, endpoint, event, run, attempt }, t.world.clock.now());
    t.world.clock.advance(10 * 60_000);
    await t.pipeline.sweep();
  });
  return { lines, culprit: { requeued: 2 } };
};

const change = async (t: Delivery) => {
  await writeExpense(t.world, t.account.id);
  return t.pipeline.changes();
};

const parkedChange = async (t: Delivery): Promise<Caused> => {
  const lines = await linesOf(t.world, async () => {
    const records = (await change(t)).map(({ dynamodb: { NewImage: _, ...dynamodb } = {}, ...rest }) => ({ ...rest, dynamodb }));
    await t.pipeline.fanOut(records);
    const later = await change(t);
    await broken(t, () => t.pipeline.fanOut(later));
    await t.pipeline.fanOut(later);
  });
  return { lines, culprit: { parked: [...t.pipeline.parked.keys()][0] } };
};

const repeatedChange = async (t: Delivery): Promise<Caused> => {
  const [culprit, innocent] = [await change(t), await change(t)];
  const lines = await linesOf(t.world, async () => {
    await broken(t, () => repeat(3, () => t.pipeline.fanOut(culprit)));
    await broken(t, () => t.pipeline.fanOut(innocent));
    await repeat(4, async () => t.pipeline.fanOut(await change(t)));
  });
  return { lines, culprit: { sequence: culprit[0]?.dynamodb?.SequenceNumber }, row: { failures: 3 } };
};

const lastHeartbeat = async (t: Delivery): Promise<Caused> => {
  const beat = async (waitMs: number) => {
    await t.pipeline.sweep();
    const records = await t.pipeline.changes();
    t.world.clock.advance(waitMs);
    await t.pipeline.fanOut(records);
  };
  const lines = await linesOf(t.world, async () => {
    await beat(100);
    await beat(777);
    await repeat(3, async () => t.pipeline.fanOut(await change(t)));
  });
  return { lines: lines.filter(({ op }) => op === 'fan-out'), culprit: { beat: 777 } };
};

const lateBatch = async (t: Delivery): Promise<Caused> => {
  const lines = await linesOf(t.world, async () => {
    await repeat(5, () => writeExpense(t.world, t.account.id));
    const imported = await t.pipeline.changes();
    t.world.clock.advance(400_000);
    await t.pipeline.fanOut(imported);
    await repeat(3, async () => t.pipeline.fanOut(await change(t)));
  });
  return { lines, culprit: { records: 5 }, row: { lag: 400_000 } };
};

const unreachable = async (t: Delivery): Promise<Caused> => {
  const asking = (status: number) => {
    const publicUrl = t.receiver.hook(status).url;
    return sweep({ ...t.world.services, queue: t.pipeline.queue, startAction: async () => {}, publicUrl });
  };
  const lines = await linesOf(t.world, async () => {
    await asking(200)();
    await asking(403)();
    await asking(200)();
  });
  return { lines, culprit: { unreachable: '403' } };
};

const rejectedKey = async (s: Search): Promise<Caused> => {
  const { store, clock } = s.world;
  const sync = async (account: string, count: number) => {
    await store.commit([store.products.createWrite(account, sampleProduct(clock.now()))]);
    await repeat(count, () => s.sync({ account, product: 'prd_sample' }));
  };
  const [once, never] = [await s.world.createAccount(), await s.world.createAccount()];
  const lines = await linesOf(s.world, async () => {
    await s.configure(s.account, { admin_key: 'wrong' });
    await sync(s.account, 3);
    await s.configure(once.id, { admin_key: 'wrong' });
    await sync(once.id, 1);
    await s.configure(never.id);
    await sync(never.id, 4);
  });
  return { lines, culprit: { account: s.account }, row: { failures: 3 } };
};

const attemptsOfEvent = async (t: Delivery): Promise<Caused> => {
  const lines = await linesOf(t.world, async () => {
    t.hook.respondWith((count) => (count === 1 ? 503 : 200));
    await t.publish();
    await t.pipeline.drain();
    t.world.clock.advance(5 * 60_000);
    await t.publish(3);
    await t.pipeline.drain();
  });
  const id = String(t.hook.requests[0]?.headers['x-webhook-id']);
  return { lines, culprit: { event: id, attempt: 0 }, row: { outcome: 'pending', status: 503 }, id };
};

/** What deliveries, the change stream, the sweep and the search log while something fails. */
export const pipelineCauses = (): Causes => {
  const t = useDelivery();
  const s = useSearch();
  return {
    'delivery-dead-letters': () => repeatedMessage(t),
    'delivery-queue-age': () => slowEndpoint(t),
    'sweep-missing': () => laterSweep(t),
    'sweep-dead-letters': () => laterSweep(t),
    'records-parked': () => parkedChange(t),
    'records-parked 2': () => repeatedChange(t),
    'fan-out-missing': () => lastHeartbeat(t),
    'fan-out-iterator-age': () => repeatedChange(t),
    'fan-out-iterator-age 2': () => lateBatch(t),
    'api-unreachable': () => unreachable(t),
    'search-dead-letters': () => rejectedKey(s),
    'search-queue-age': () => rejectedKey(s),
    'A customer says a webhook is missing': () => attemptsOfEvent(t),
  };
};
