import type { ActionServices } from '../../functions/actions/action.ts';
import { type ActionResponse, actions } from '../../functions/actions/app.ts';
import type { Tables } from '../../local/engine/tables.ts';
import { openLocalRequestLog } from '../../local/log.ts';
import { randomId } from '../../shared/core/ids.ts';
import { isCheckRecord, parkingKey } from '../../shared/core/parking-keys.ts';
import { systemRandom } from '../../shared/core/random.ts';
import type { QueuedMessage } from '../../shared/providers/queue.ts';
import { openDb } from '../../shared/table/client.ts';
import { openStore } from '../../shared/table/store.ts';
import { createSender } from '../../shared/webhooks/sender.ts';
import { createClock, type TestClock } from '../support/clock.ts';
import { context } from '../support/context.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { openOperatedQueues } from '../support/operated-queues.ts';
import { secretsOf } from '../support/secrets.ts';
import { createWire, type Wire } from '../support/wire.ts';

/**
 * The actions function of region `us` on a real engine. Queue, parking lot and fan-out are lists
 * that tests read and fill.
 */
export interface Dashboard {
  readonly services: ActionServices;
  readonly engine: TestEngine;
  readonly tables: Tables;
  readonly clock: TestClock;
  readonly wire: Wire;
  readonly messages: QueuedMessage[];
  readonly parked: Map<string, string>;
  readonly replayed: string[];
  readonly lines: Record<string, unknown>[];
  call(event: unknown): Promise<ActionResponse>;
  /** Returns the result of an action that succeeds. */
  act(action: string, account: string | undefined, input?: unknown): Promise<Record<string, any>>;
  /** Returns the error and status of an action that fails. */
  errorOf(action: string, account: string | undefined, input?: unknown): Promise<Record<string, unknown>>;
  /** A business account's id. */
  openAccount(input?: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

export const startDashboard = async (): Promise<Dashboard> => {
  const engine = await startEngine();
  const clock = createClock();
  const wire = createWire(engine.client);
  const messages: QueuedMessage[] = [];
  const parked = new Map<string, string>();
  const replayed: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const operated = await openOperatedQueues(clock);
  const policy = { allowLoopback: true, timeScale: 1 };
  const sender = createSender({ policy });
  const tables = await engine.createTables('dashboard');
  const services: ActionServices = {
    region: 'us',
    store: openStore(openDb(wire.client, { ...tables, clock, random: systemRandom })),
    queue: { send: async (batch) => void messages.push(...batch) },
    queues: operated.queues,
    requestLog: openLocalRequestLog(clock),
    sender,
    secrets: secretsOf({}, clock),
    policy,
    parking: { fetch: async (key) => parked.get(key) },
    replay: async (json) => {
      replayed.push(json);
      const sent = JSON.parse(json);
      if (isCheckRecord(sent)) parked.set(parkingKey(sent), json);
    },
    clock,
    random: systemRandom,
    newId: randomId,
    log: (line) => lines.push({ ...line }),
  };
  const handle = actions(services);
  const call = (event: unknown) => handle(event, context);
  const eventOf = (action: string, account: string | undefined, input: unknown) => ({
    action,
    ...(account === undefined ? {} : { account }),
    ...(input === undefined ? {} : { input }),
  });

  const act: Dashboard['act'] = async (action, account, input) => {
    const response = await call(eventOf(action, account, input));
    if (!response.ok) throw new Error(`${action} was refused: ${JSON.stringify(response.body)}`);
    return response.result as Record<string, unknown>;
  };
  return {
    services,
    engine,
    tables,
    clock,
    wire,
    messages,
    parked,
    replayed,
    lines,
    call,
    act,
    async errorOf(action, account, input) {
      const response = await call(eventOf(action, account, input));
      if (response.ok) throw new Error(`${action} succeeded: ${JSON.stringify(response.result)}`);
      return { status: response.status, ...response.body.error };
    },
    openAccount: async (input = {}) => (await act('account.create', undefined, { name: 'Crumb', plan: 'business', ...input }))['id'],
    async stop() {
      sender.close();
      operated.close();
      await engine.stop();
    },
  };
};
