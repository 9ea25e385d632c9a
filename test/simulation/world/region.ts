import type { DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { ActionServices } from '../../../functions/actions/action.ts';
import { type ActionAnswer, actions } from '../../../functions/actions/app.ts';
import { checkout } from '../../../functions/checkout/app.ts';
import { routes as checkoutRoutes } from '../../../functions/checkout/routes.ts';
import { customers } from '../../../functions/customers/app.ts';
import { routes as customerRoutes } from '../../../functions/customers/routes.ts';
import { deliver } from '../../../functions/deliver/app.ts';
import { expenses } from '../../../functions/expenses/app.ts';
import { routes as expenseRoutes } from '../../../functions/expenses/routes.ts';
import { fanOut } from '../../../functions/fan-out/app.ts';
import { orders } from '../../../functions/orders/app.ts';
import { routes as orderRoutes } from '../../../functions/orders/routes.ts';
import { products } from '../../../functions/products/app.ts';
import { routes as productRoutes } from '../../../functions/products/routes.ts';
import { reference } from '../../../functions/reference/app.ts';
import { routes as referenceRoutes } from '../../../functions/reference/routes.ts';
import { sweep } from '../../../functions/sweep/app.ts';
import { webhooks } from '../../../functions/webhooks/app.ts';
import { routes as webhookRoutes } from '../../../functions/webhooks/routes.ts';
import { newIds } from '../../../shared/core/ids.ts';
import type { Route } from '../../../shared/core/routes.ts';
import type { ApiHandler } from '../../../shared/http/chain.ts';
import type { ApiServices } from '../../../shared/http/operation.ts';
import { openSecrets } from '../../../shared/providers/secrets.ts';
import { openDb } from '../../../shared/table/client.ts';
import { openStore, type Store } from '../../../shared/table/store.ts';
import { productionPolicy } from '../../../shared/webhooks/policy.ts';
import { promptClient, serviceTables } from '../engine/client.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { Process, World } from '../scheduler/process.ts';
import { tableClient } from './calls.ts';
import { LambdaFunction, type Met } from './functions.ts';
import { type Answer, contextOf, eventOf, matches, type Request } from './http.ts';
import { QueueModel } from './queue.ts';
import { Receivers } from './receivers.ts';
import { SchedulesModel } from './schedules.ts';
import { StreamModel } from './stream.ts';

/** What a client of the API sees: an answer, or nothing; `disturbed` where an accident befell the very request. */
export interface Seen {
  readonly answer: Answer | undefined;
  readonly disturbed: boolean;
  readonly begunMs: number;
  readonly endedMs: number;
}

/** An answer that says a fault of the service, to a request or to an action, and what befell the calls that led to it. */
export interface Fault {
  readonly to: string;
  readonly answer: string;
  readonly met: Met;
}

/** One region at work, its functions on models of what AWS promises. */
export interface Region {
  readonly world: World;
  readonly engine: Engine;
  /** Past every accident: to begin with, and to look. */
  readonly store: Store;
  readonly receivers: Receivers;
  readonly stream: StreamModel;
  readonly queue: QueueModel;
  readonly schedules: SchedulesModel;
  readonly log: Readonly<Record<string, unknown>>[];
  /** Of each change of the table, in their order, the invocation that made it. */
  readonly authors: readonly string[];
  /** Invocations of `deliver` that came to no end. */
  readonly lost: ReadonlySet<string>;
  readonly faults: readonly Fault[];
  request(request: Request): Promise<Seen>;
  /** Undefined where the invocation was lost. */
  action(call: {
    readonly action: string;
    readonly account: string;
    readonly input: unknown;
    readonly token?: string;
  }): Promise<ActionAnswer | undefined>;
  sweep(): Promise<void>;
}

type Services = ApiServices & Omit<ActionServices, keyof ApiServices>;
const groups: readonly (readonly [name: string, routes: readonly Route[], make: (services: Services) => ApiHandler])[] = [
  ['checkout', checkoutRoutes, (services) => checkout({ ...services, allowLoopbackUrls: false })],
  ['customers', customerRoutes, customers],
  ['expenses', expenseRoutes, expenses],
  ['orders', orderRoutes, orders],
  ['products', productRoutes, (services) => products({ ...services, secrets: openSecrets({ clock: services.clock, read: noSecret }) })],
  ['reference', referenceRoutes, reference],
  ['webhooks', webhookRoutes, webhooks],
];

const noSecret = async (): Promise<never> => {
  throw new Error('The simulated region keeps no secrets.');
};
/** Of operated queues, parking and replaying: not modelled yet, and refused loudly. */
const notModelled = (what: string): never => {
  throw new Error(`The simulated region has no ${what}.`);
};

const tableNames = { tableName: 'simulated', bucketsTableName: 'simulated-buckets' };
const apiTimeoutMs = 29_000;
const workerTimeoutMs = 60_000;
/** Scenarios are small: so that lists and walks have pages all the same, these are as much smaller than DynamoDB's. */
const pageBytes = 16 * 1024;
const lanes = 3;
const deliverConcurrency = 4;

export const openRegion = (world: World): Region => {
  const { scheduler, accidents } = world;
  const random = scheduler.stream('region');
  const engine = createEngine({
    tables: serviceTables(tableNames),
    now: scheduler.now,
    pageBytes,
    indexLagMs: () => (random.chance(0.3) ? random.below(accidents.level.indexLagMs + 1) : 0),
  });
  const receivers = new Receivers(scheduler);
  const log: Readonly<Record<string, unknown>>[] = [];
  const authors: string[] = [];
  const calls = {
    engine,
    carried: ({ name, invocations }: Process) => {
      const { changes } = engine.table(tableNames.tableName);
      while (authors.length < changes.length) authors.push(`${name}/${invocations}`);
      stream.nudge();
    },
  };

  /** Everything that a function may be given, of one process. */
  const servicesOf = (process: Process): Services => {
    const { clock, random } = process;
    const client = tableClient(process, calls);
    return {
      region: 'us',
      store: openStore(openDb(client, { ...tableNames, clock, random })),
      clock,
      random,
      newId: newIds(random),
      log: (line) => {
        log.push({ process: process.name, invocation: process.invocations, ...line });
        if (line['error'] !== undefined) scheduler.note(process.name, `says ${JSON.stringify(line['error'])}`);
      },
      queue: queue.from(process),
      queues: new Proxy({} as Services['queues'], { get: () => notModelled('operated queue') }),
      sender: receivers.from(process),
      policy: productionPolicy,
      parking: { fetch: async () => notModelled('parking lot') },
      replay: async () => notModelled('replay'),
    };
  };
  const lambda = <Handler>(name: string, timeoutMs: number, make: (process: Process) => Handler) =>
    new LambdaFunction(name, world, timeoutMs, make);

  const api = groups.map(([name, routes, make]) => ({
    routes,
    lambda: lambda(name, apiTimeoutMs, (process) => make(servicesOf(process))),
  }));
  const dashboard = lambda('actions', workerTimeoutMs, (process) => actions(servicesOf(process)));
  const sweeper = lambda('sweep', workerTimeoutMs, (process) => sweep(servicesOf(process)));
  const deliverer = lambda('deliver', workerTimeoutMs, (process) =>
    deliver({ ...servicesOf(process), scheduler: schedules.from(process) }),
  );
  const fanner = lambda('fan-out', workerTimeoutMs, (process) =>
    fanOut({
      ...servicesOf(process),
      searchQueue: { send: async (messages) => (messages.length > 0 ? notModelled('search queue') : undefined) },
      parking: { park: async () => notModelled('parking lot'), fetch: async () => undefined },
    }),
  );

  const queue: QueueModel = new QueueModel({
    world,
    name: 'deliveries',
    concurrency: deliverConcurrency,
    invoke: async (event: SQSEvent): Promise<SQSBatchResponse> => (await deliverer.invoke((handler) => handler(event))).result,
  });
  const schedules = new SchedulesModel(world, queue);
  const stream: StreamModel = new StreamModel({
    world,
    table: engine.table(tableNames.tableName),
    lanes,
    invoke: async (event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => (await fanner.invoke((handler) => handler(event))).result,
  });
  const client = promptClient(engine);
  let requests = 0;
  const faults: Fault[] = [];
  const judge = (to: string, status: number, answer: unknown, met: Met): void => {
    if (status >= 500) faults.push({ to, answer: `${status}: ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`, met });
  };

  return {
    world,
    engine,
    store: openStore(openDb(client, { ...tableNames, clock: scheduler, random })),
    receivers,
    stream,
    queue,
    schedules,
    log,
    authors,
    lost: deliverer.lost,
    faults,
    async request(request) {
      const group = api.find(({ routes }) => routes.some((route) => matches(route, request)));
      const route = group?.routes.find((one) => matches(one, request));
      if (!group || !route) throw new Error(`No route for ${request.method} ${request.path}.`);
      requests += 1;
      const event = eventOf(route, request, `req-${requests}`);
      const begunMs = scheduler.now();
      const unheard = (): Seen => ({ answer: undefined, disturbed: true, begunMs, endedMs: scheduler.now() });
      try {
        const { result, met } = await group.lambda.invoke((handler) => handler(event, contextOf(apiTimeoutMs)));
        const { statusCode = 0, body = '', headers = {} } = result;
        judge(`${request.method} ${request.path}`, statusCode, body, met);
        if (accidents.befalls('client hears nothing', event.requestContext.requestId, accidents.level.fates['answer lost'] ?? 0, random))
          return unheard();
        const answer = { status: statusCode, text: body, replayed: headers['Idempotent-Replayed'] === 'true' };
        return { answer, disturbed: met.accidents > 0, begunMs, endedMs: scheduler.now() };
      } catch {
        return unheard();
      }
    },
    async action(call) {
      try {
        const { result, met } = await dashboard.invoke((handler) => handler(call));
        if (!result.ok) judge(call.action, result.status, result.body, met);
        return result;
      } catch {
        return undefined;
      }
    },
    async sweep() {
      await sweeper.invoke((handler) => handler()).catch(() => undefined);
    },
  };
};
