import { operatorQueueNames } from '../../../functions/actions/action.ts';
import type { Random } from '../scheduler/random.ts';
import type { Region } from '../world/region.ts';
import { act } from './dashboard.ts';
import { atWork, type Stage } from './person.ts';

/** In the key of every item that an operator wrote by hand. No function can read such an item. */
export const byHand = 'by_hand';

interface Peeked {
  readonly id: string;
  readonly body: unknown;
}

const redriven = ['delivery-dead-letters', 'search-dead-letters', 'parking-notices'] as const;

/** The `condition` in what Lambda stores of a batch that is too old. */
const givenUp = 'EventAgeExceeded';

/** An operator of a region, by name. */
const at = (region: Region, name: string, random: Random) => {
  const call = async (action: string, input: unknown, token: string): Promise<unknown> => {
    const response = await act(region, name, { action, input, token }, random);
    return response?.ok ? response.result : undefined;
  };
  return {
    call,
    async peek(queue: string, token: string): Promise<readonly Peeked[]> {
      return ((await call('queue.peek', { queue, limit: 100 }, token)) as { readonly data: readonly Peeked[] } | undefined)?.data ?? [];
    },
  };
};

/** Writes an incomplete record and deletes it, as a mistake in the console would. */
const slip = ({ region, tenant }: Stage, action: number): void => {
  const { engine } = region;
  const kind = ['exp', 'prd', 'ord'][action % 3];
  const Key = { pk: `${kind}#${tenant.account}`, sk: `${byHand}_${action}` };
  engine.execute('Put', { TableName: 'simulated', Item: { ...Key, view: { note: 'A note to self.' } } });
  engine.execute('Delete', { TableName: 'simulated', Key });
  region.world.scheduler.note('operator', `writes ${Key.pk} ${Key.sk} by hand, and deletes it`);
  region.pipeline.stream.nudge();
};

/** Handles dead letters, parked records and failed sweeps, if an operator is on duty. */
export const cleanUp = async (region: Region, name: string): Promise<void> => {
  if (!region.isAttended) return;
  const { queues, parking } = region.pipeline;
  const { call, peek } = at(region, name, region.world.scheduler.stream(name));
  // A batch that Lambda gave up also contains other records. After its replay, only the record by
  // hand is parked.
  const isByHand = ({ body }: Peeked): boolean =>
    ((body as { readonly Records?: readonly { readonly s3: { readonly object: { readonly key: string } } }[] }).Records ?? []).every(
      ({ s3 }) => {
        const parked = parking.objects.get(decodeURIComponent(s3.object.key));
        return parked?.includes(byHand) && !parked.includes(givenUp);
      },
    );
  if (queues['parking-notices'].size > 0)
    for (const notice of await peek('parking-notices', `${name}-notices`))
      if (isByHand(notice)) await call('queue.discard', { queue: 'parking-notices', id: notice.id }, `${name}-${notice.id}`);
  if (queues['sweep-failures'].size > 0)
    for (const { id } of await peek('sweep-failures', `${name}-sweeps`))
      await call('queue.discard', { queue: 'sweep-failures', id }, `${name}-${id}`);
  for (const queue of redriven) if (queues[queue].size > 0) await call('queue.redrive', { queue, limit: 1_000 }, `${name}-${queue}`);
};

const weights = { redrive: 4, requeue: 3, peek: 1, status: 1, discard: 1, replay: 2, slip: 1 };

/** The operator of the region, one for all tenants. */
export const operate = async (stage: Stage): Promise<void> => {
  const { region, tenant, number } = stage;
  if (number !== 1) return;
  const { scheduler } = region.world;
  const name = 'operator';
  const actions: Readonly<Record<string, (token: string, random: Random, action: number) => Promise<unknown>>> = {
    redrive: (token, random) =>
      at(region, name, random).call('queue.redrive', { queue: random.pick(redriven), limit: 1 + random.below(100) }, token),
    requeue: (token, random) =>
      at(region, name, random).call(
        'delivery.requeue_overdue',
        { limit: 1 + random.below(50), ...(random.chance(0.5) && { account_id: tenant.account }) },
        token,
      ),
    peek: (token, random) => at(region, name, random).peek(random.pick(operatorQueueNames), token),
    status: (token, random) => at(region, name, random).call('queue.status', {}, token),
    async discard(token, random) {
      const { call, peek } = at(region, name, random);
      for (const { id } of (await peek('sweep-failures', `${token}-peek`)).slice(0, 1))
        await call('queue.discard', { queue: 'sweep-failures', id }, token);
    },
    async replay(token, random) {
      const keys = [...region.pipeline.parking.objects.keys()];
      if (keys.length > 0) await at(region, name, random).call('stream.replay', { key: random.pick(keys) }, token);
    },
    slip: async (_, __, action) => slip(stage, action),
  };
  await atWork(stage, {
    name,
    actions: scheduler.stream(name).below(7),
    pauseMs: (random) => random.below(1_200_000),
    async act(random, action) {
      await actions[random.weighted<string>(weights)]?.(`${name}-token-${action}`, random, action);
    },
  });
};
