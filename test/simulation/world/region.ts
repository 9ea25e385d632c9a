import type { ActionServices } from '../../../functions/actions/action.ts';
import { type ActionResponse, actions } from '../../../functions/actions/app.ts';
import { specOf } from '../../../lib/functions.ts';
import { shapesOf } from '../../../local/engine/tables.ts';
import { apiGroups } from '../../../local/groups.ts';
import { hashKey } from '../../../shared/auth/authenticate.ts';
import { makeId } from '../../../shared/core/ids.ts';
import { openSecrets } from '../../../shared/providers/secrets.ts';
import type { Services } from '../../../shared/services.ts';
import { openDb } from '../../../shared/table/client.ts';
import { openStore, type Store } from '../../../shared/table/store.ts';
import { productionPolicy } from '../../../shared/webhooks/policy.ts';
import type { Sender } from '../../../shared/webhooks/sender.ts';
import { promptClient } from '../engine/client.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { Process, World } from '../scheduler/process.ts';
import { BadHours } from './bad-hours.ts';
import { tableClient } from './calls.ts';
import { Expiry } from './expiry.ts';
import { LambdaFunction, type Met } from './functions.ts';
import { HotPartitions } from './hot-partitions.ts';
import { contextOf, eventOf, type HttpResponse, matches, type Request } from './http.ts';
import { isForeign } from './keys-of-calls.ts';
import { NoticesModel } from './notices.ts';
import { ParametersModel } from './parameters.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { Receivers } from './receivers.ts';
import { SearchEngineModel } from './search-engine.ts';
import { openShopPage, type ShopPage } from './shop-page.ts';

/** A request as the client sees it: a response or nothing; `disturbed` if a fault hit it. */
export interface Seen {
  readonly response: HttpResponse | undefined;
  readonly disturbed: boolean;
  readonly begunMs: number;
  readonly endedMs: number;
}

/** A 5xx response or a failed action, and the faults of the calls behind it. */
export interface ServerError {
  readonly to: string;
  readonly response: string;
  readonly met: Met;
}

/** One region: its functions, on models of the AWS services. */
export interface Region {
  readonly world: World;
  readonly engine: Engine;
  /** The stores without faults, to prepare and to check. */
  readonly store: Store;
  readonly receivers: Receivers;
  /** The hosted checkout page and its gateway. */
  readonly page: ShopPage;
  readonly pipeline: Pipeline;
  readonly parameters: ParametersModel;
  /** The event bus of the platform. */
  readonly notices: NoticesModel;
  readonly searchEngine: SearchEngineModel;
  /** Calls that named a partition of an account other than their invocation's. */
  readonly trespasses: readonly string[];
  readonly log: Readonly<Record<string, unknown>>[];
  /** The invocation that made each change of the table, in order. */
  readonly authors: readonly string[];
  /** When the invocation of each change began. */
  readonly begunMs: readonly number[];
  readonly serverErrors: readonly ServerError[];
  /** Subjects of rate buckets, a key's id or an address, for which DynamoDB throttles the table of buckets. */
  readonly throttledSubjects: Set<string>;
  /** Whether pages of the table are as large as DynamoDB's. */
  readonly hasWholePages: boolean;
  /** Whether an operator redrives dead letters and replays what is parked. */
  readonly isAttended: boolean;
  request(request: Request): Promise<Seen>;
  /** Calls an action. Undefined if the invocation did not end. */
  action(call: {
    readonly action: string;
    /** Absent if the action concerns no account. */
    readonly account?: string;
    readonly input: unknown;
    readonly token?: string;
  }): Promise<ActionResponse | undefined>;
}

type HandlerServices = Services & ActionServices;

const tableNames = { tableName: 'simulated', bucketsTableName: 'simulated-buckets' };
const apiTimeoutMs = specOf('orders').timeoutSeconds * 1000;
const actionTimeoutMs = specOf('actions').timeoutSeconds * 1000;
/** Pages are smaller than DynamoDB's, so that small scenarios have lists of several pages. */
const pageBytes = 16 * 1024;
/** In some scenarios a page holds a few records, so that every read of several records has an end. */
const tinyPageBytes = 2 * 1024;
/** DynamoDB's page size, for the few scenarios with large records. */
const fullPageBytes = 1024 * 1024;
/** The scenarios in which the sweep is the only one that finds what was lost. */
const unattendedShare = 0.2;

export const openRegion = (world: World): Region => {
  const { scheduler, faults } = world;
  const random = scheduler.stream('region');
  const hasWholePages = scheduler.stream('pages').chance(0.03);
  const isAttended = !scheduler.stream('operator on duty').chance(unattendedShare);
  const badHours = new BadHours(world, isAttended);
  const hasTinyPages = scheduler.stream('tiny pages').chance(0.15);
  const engine = createEngine({
    tables: shapesOf(tableNames),
    now: scheduler.now,
    pageBytes: hasWholePages ? fullPageBytes : hasTinyPages ? tinyPageBytes : pageBytes,
    indexLagMs: () => (random.chance(0.3) ? random.below(faults.level.indexLagMs + 1) : 0),
  });
  const receivers = new Receivers(scheduler);
  const log: Readonly<Record<string, unknown>>[] = [];
  const authors: string[] = [];
  const begunMs: number[] = [];
  const trespasses: string[] = [];
  const throttledSubjects = new Set<string>();
  const searchEngine = new SearchEngineModel(world);
  const parameters = new ParametersModel();
  const notices = new NoticesModel(world);
  const changedBy = (author: string, invokedMs = scheduler.now()): void => {
    const { changes } = engine.table(tableNames.tableName);
    while (authors.length < changes.length) {
      authors.push(author);
      begunMs.push(invokedMs);
    }
    pipeline.stream.nudge();
  };
  new Expiry(world, Object.values(tableNames).map(engine.table), () => changedBy('expiry'));
  const calls = {
    engine,
    hot: new HotPartitions(scheduler, faults),
    isThrottled: (partition: string) => throttledSubjects.has(partition.split('#')[1] ?? ''),
    arrived: (process: Process, partitions: readonly string[], accounts: ReadonlySet<string> | undefined) => {
      badHours.requireRights(process, partitions);
      for (const partition of partitions)
        if (accounts && isForeign(partition, accounts))
          trespasses.push(`${process.name} named ${partition} for ${[...accounts].join(', ')}.`);
    },
    carried: ({ name, invocations, invokedMs }: Process) => changedBy(`${name}/${invocations}`, invokedMs),
  };

  /** Returns the sender of a process, which reaches the receivers and the search engine. */
  const senderOf = (process: Process): Sender => {
    const [toReceivers, toEngine] = [receivers.from(process), searchEngine.from(process)];
    const send: Sender['send'] = (delivery) => (delivery.url.startsWith(searchEngine.host) ? toEngine : toReceivers).send(delivery);
    return { ...toReceivers, send };
  };
  /** Returns all services of a function in one process. */
  const servicesOf = (process: Process): HandlerServices => {
    const { clock, random } = process;
    const client = tableClient(process, calls);
    const noteLine: HandlerServices['log'] = (line) => {
      log.push({ process: process.name, invocation: process.invocations, ...line });
      const { error } = line;
      // Logs the error without its stack, which differs between machines.
      if (error !== undefined)
        scheduler.note(process.name, () => `says ${JSON.stringify(error, (name, part) => (name === 'stack' ? undefined : part))}`);
    };
    return {
      region: 'us',
      store: openStore(openDb(client, { ...tableNames, notices: true, clock, random })),
      clock,
      random,
      newId: (prefix, atMs) => makeId(prefix, atMs, random.bytes(16)),
      log: noteLine,
      queue: pipeline.queues.delivery.from(process),
      searchQueue: pipeline.queues.search.from(process),
      scheduler: pipeline.schedules.from(process),
      queues: Object.fromEntries(
        Object.entries(pipeline.queues).map(([name, queue]) => [name, queue.operatedBy(process)]),
      ) as HandlerServices['queues'],
      secrets: openSecrets({ clock, log: noteLine, read: parameters.from(process) }),
      sender: senderOf(process),
      policy: productionPolicy,
      parking: pipeline.parking.from(process),
      noticeBus: notices.from(process),
      replay: pipeline.replayFrom(process),
      // No person of the simulator lists requests.
      requestLog: { search: async () => [] },
    };
  };
  const lambda = <Handler>(name: string, timeoutMs: number, make: (process: Process) => Handler) =>
    new LambdaFunction(name, world, timeoutMs, make);

  const api = apiGroups.map(({ name, routes, make }) => ({
    routes,
    lambda: lambda(name, apiTimeoutMs, (process) => make(servicesOf(process))),
  }));
  const serverErrors: ServerError[] = [];
  const judge = (to: string, status: number, response: unknown, met: Met): void => {
    if (status >= 500)
      serverErrors.push({ to, response: `${status}: ${typeof response === 'string' ? response : JSON.stringify(response)}`, met });
  };
  const page = openShopPage({ world, services: servicesOf, lambda, judge });
  const dashboard = lambda('actions', actionTimeoutMs, (process) =>
    actions({ ...servicesOf(process), stripeApi: page.stripe.from(process) }),
  );
  const pipeline: Pipeline = openPipeline({
    ...{ world, table: engine.table(tableNames.tableName), servicesOf, badHours },
    act: ({ account, ...call }) =>
      dashboard.invoke((handler) => handler({ account, ...call }, contextOf(actionTimeoutMs)), new Set([account])),
  });
  /** Returns the account of a key. */
  /**
   * The owners of all keys, also of erased accounts, because a function that remembers a key still
   * uses it.
   */
  const owners = new Map<string, string>();
  const accountOfKey = (key: string): ReadonlySet<string> => {
    const item = engine.table(tableNames.tableName).get({ pk: `key#${hashKey(key)}`, sk: 'key' });
    if (item) owners.set(key, (item['data'] as unknown as { readonly account: string }).account);
    const owner = owners.get(key);
    return new Set(owner === undefined ? [] : [owner]);
  };
  const client = promptClient(engine);
  let requests = 0;

  return {
    world,
    engine,
    store: openStore(openDb(client, { ...tableNames, clock: scheduler, random })),
    receivers,
    page,
    pipeline,
    parameters,
    notices,
    searchEngine,
    trespasses,
    log,
    authors,
    begunMs,
    serverErrors,
    throttledSubjects,
    hasWholePages,
    isAttended,
    async request(request) {
      const group = api.find(({ routes }) => routes.some((route) => matches(route, request)));
      const route = group?.routes.find((one) => matches(one, request));
      if (!group || !route) throw new Error(`No route for ${request.method} ${request.path}.`);
      requests += 1;
      const event = eventOf(route, request, `req-${requests}`);
      const begunMs = scheduler.now();
      const lostResponse = (): Seen => ({ response: undefined, disturbed: true, begunMs, endedMs: scheduler.now() });
      try {
        const { result, met } = await group.lambda.invoke(
          (handler) => handler(event, contextOf(apiTimeoutMs)),
          accountOfKey(request.key),
          request.warm,
        );
        const { statusCode = 0, body = '', headers = {} } = result;
        judge(`${request.method} ${request.path}`, statusCode, body, met);
        if (faults.befalls('client hears nothing', event.requestContext.requestId, faults.level.fates['answer lost'] ?? 0, random))
          return lostResponse();
        const response = {
          status: statusCode,
          text: body,
          replayed: headers['Idempotent-Replayed'] === 'true',
          rateLimit: headers['X-RateLimit-Limit'] as string | undefined,
        };
        return { response, disturbed: met.faults > 0, begunMs, endedMs: scheduler.now() };
      } catch {
        return lostResponse();
      }
    },
    async action(call) {
      try {
        const accounts = call.account === undefined ? undefined : new Set([call.account]);
        const { result, met } = await dashboard.invoke((handler) => handler(call, contextOf(actionTimeoutMs)), accounts);
        if (!result.ok) judge(call.action, result.status, result.body, met);
        return result;
      } catch {
        return undefined;
      }
    },
  };
};
