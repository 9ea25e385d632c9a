import type { Request } from '../world/http.ts';
import { apiKeyOf } from './api-key.ts';
import type { Rush } from './journal.ts';
import type { Stage } from './person.ts';

const windowMs = 60_000;
const atOnce = 10;
/** The specification's limits. */
const limits = { read: 300, write: 100, address: 120 } as const;

/** A window's requests, and the bucket that they fill. */
interface Plan {
  readonly bucket: keyof typeof limits;
  readonly requests: readonly Omit<Request, 'key' | 'address'>[];
}

const writes: Plan = {
  bucket: 'write',
  requests: [
    { method: 'POST', path: '/orders', body: {} },
    { method: 'PATCH', path: '/webhooks/whe_0', body: {} },
    { method: 'DELETE', path: '/webhooks/whe_0' },
    { method: 'POST', path: '/expenses', body: {} },
  ],
};
const reads: Plan = {
  bucket: 'read',
  requests: [
    { method: 'GET', path: '/orders/ord_0' },
    { method: 'GET', path: '/expenses/exp_0' },
  ],
};
/** Reads and writes of both types of key share the bucket of an address. */
const visitors: Plan = {
  bucket: 'address',
  requests: [
    { method: 'GET', path: '/reference/expense-categories' },
    { method: 'POST', path: '/checkout', body: {} },
  ],
};

/**
 * A program with keys and an address of its own that fills a bucket to its limit, and then sends one
 * more. It mixes reads, writes and keys that share the bucket, or sends all to one warm process, also
 * while DynamoDB throttles its bucket.
 */
export const aimAtRates = async ({ region, journal, tenant, number }: Stage): Promise<void> => {
  const { scheduler } = region.world;
  const random = scheduler.stream(`exact rush of ${number}`);
  if (!random.chance(0.25)) return;
  const { account } = tenant;
  const now = new Date(scheduler.now()).toISOString();
  const made = (['secret', 'publishable'] as const).map((type, i) =>
    apiKeyOf({ account, name: 'Rush', type, number: 10 * number + 5 + i, now }, random),
  );
  await region.store.commit(made.flatMap(({ key }) => region.store.apiKeys.createWrites(key)));
  const [secret, visitor] = made.map(({ value }) => value) as [string, string];
  const address = `198.51.100.${number}`;

  const toNextWindow = () => scheduler.sleep(windowMs - (scheduler.now() % windowMs) + 2_000);
  /** Sends the limit and one more, and one in the next window. */
  const fill = async ({ bucket, requests }: Plan, how: { readonly isWarm: boolean; readonly isThrottled: boolean }): Promise<void> => {
    const limit = limits[bucket];
    const [first] = requests;
    const keys = bucket === 'address' ? [visitor, secret] : [secret];
    const rush: Rush = { bucket, limit, seen: [] };
    journal.rushes.push(rush);
    const sendOne = async (i: number, to: Rush): Promise<void> => {
      const chosen = how.isWarm ? first : requests[i % requests.length];
      if (chosen) to.seen.push(await region.request({ ...chosen, key: keys[i % keys.length] ?? secret, address, warm: how.isWarm }));
    };
    const several = how.isWarm ? 1 : atOnce;
    for (let sent = 0; sent <= limit; sent += several)
      await Promise.all(Array.from({ length: Math.min(several, limit + 1 - sent) }, (_, i) => sendOne(sent + i, rush)));
    if (bucket === 'read') return;
    await toNextWindow();
    const after: Rush = { bucket, limit, seen: [] };
    journal.rushes.push(after);
    await sendOne(0, after);
  };

  const isWarm = random.chance(0.5);
  const isThrottled = isWarm && random.chance(0.4);
  await toNextWindow();
  if (isThrottled) for (const subject of [...made.map(({ key }) => key.id), address]) region.throttledSubjects.add(subject);
  const plan = random.pick([writes, writes, visitors]);
  scheduler.note('rush', `fills the bucket "${plan.bucket}"${isWarm ? ' in one process' : ''}${isThrottled ? ' without the table' : ''}`);
  // Reads have a count of their own, also in the window of the writes.
  await Promise.all([fill(plan, { isWarm, isThrottled }), ...(plan === writes && !isWarm ? [fill(reads, { isWarm, isThrottled })] : [])]);
  region.throttledSubjects.clear();
};
