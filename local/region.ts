import type { ActionServices } from '../functions/actions/action.ts';
import { fanOut } from '../functions/fan-out/app.ts';
import { sweep } from '../functions/sweep/app.ts';
import type { Region } from '../shared/core/config.ts';
import type { Services } from '../shared/services.ts';
import type { HttpFunction } from './gateway/handle.ts';
import { createRouter } from './gateway/routing.ts';
import { apiGroups, checkoutPageGroup } from './groups.ts';
import { atFirstCall, invocationContext } from './lambda.ts';

/** One dashboard action, in the form that `ops` sends. */
export interface ActionCall {
  readonly action: string;
  readonly account?: string;
  readonly input?: unknown;
  /** Input of the action, which validates it. */
  readonly token?: unknown;
}

/** Runs an action. Returns `{ ok: true, result }` or `{ ok: false, status, body }`. */
export type InvokeAction = (region: Region, call: ActionCall) => Promise<unknown>;

/** The time-out of the deployed function. */
const actionTimeoutMs = 60_000;

/** The deployed functions of one region, on local services. */
export const composeRegion = (services: Services & Pick<ActionServices, 'queues' | 'requestLog'>) => {
  const toFanOut = fanOut(services);
  const replay = async (json: string) => {
    const { batchItemFailures } = await toFanOut({ Records: [JSON.parse(json)] });
    if (batchItemFailures.length > 0) throw new Error('The record could not be read; it stays parked.');
  };
  const actions = atFirstCall(async () => (await import('../functions/actions/app.ts')).actions({ ...services, replay }));
  const act = (call: ActionCall) => actions(call, invocationContext('actions', actionTimeoutMs));
  return {
    router: createRouter<HttpFunction>(
      [...apiGroups, checkoutPageGroup].map(({ routeKeys, make }) => ({ routeKeys, target: make(services) })),
    ),
    fallback: atFirstCall(async () => (await import('../functions/fallback/app.ts')).fallback(services)),
    fanOut: toFanOut,
    actions: act,
    deliver: atFirstCall(async () => (await import('../functions/deliver/app.ts')).deliver({ ...services, onlyOnce: onlyOnce() })),
    searchSync: atFirstCall(async () => (await import('../functions/search-sync/app.ts')).searchSync(services)),
    sweep: sweep({ ...services, startAction: async (call) => void (await act(call)) }),
  };
};

/** Longer than work that was read can wait before it starts. */
const lingerMs = 5_000;

/**
 * Returns a function that runs work unless work with the same name is running or has just ended. It
 * is needed because sweeps follow the time scale and attempts do not, so a message may get a
 * duplicate while its attempt runs. Failed work may run again at once.
 */
const onlyOnce = () => {
  const known = new Set<string>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    if (known.has(name)) return undefined;
    known.add(name);
    try {
      const result = await work();
      setTimeout(() => known.delete(name), lingerMs).unref();
      return result;
    } catch (error) {
      known.delete(name);
      throw error;
    }
  };
};
