import { allRoutes } from '../functions/groups.ts';
import { type Clock, systemClock } from '../shared/core/clock.ts';
import { regions as allRegions, type Region } from '../shared/core/config.ts';
import { describeError, type Log } from '../shared/core/log.ts';
import { isoFromMs } from '../shared/core/time.ts';
import { openSecrets } from '../shared/providers/secrets.ts';
import { embeddedClient } from './engine/client.ts';
import { type Database, openEngine } from './engine/engine.ts';
import { startExpiry } from './engine/expiry.ts';
import { openParameters } from './engine/parameters.ts';
import { openState, type State } from './engine/state.ts';
import { shapesOf, type Tables } from './engine/tables.ts';
import { callApi, createHandler } from './gateway/handle.ts';
import { createOwnEndpoints } from './gateway/own-endpoints.ts';
import { leadsToDocs } from './gateway/replies.ts';
import { type Gateway, startGateway } from './gateway/server.ts';
import { withTimeout } from './lambda.ts';
import { type Space, watchSpace } from './log.ts';
import type { StartOptions } from './options.ts';
import { createDevelopersPage, type KnownAccounts, openKnownAccounts } from './pages/developers.ts';
import { createDocsSite, type FindSampleTarget } from './pages/docs.ts';
import { availablePages, ifInstalled } from './pages/packages.ts';
import type { InvokeAction } from './region.ts';
import { openRegion, type RunningRegion } from './running-region.ts';
import { createSearchStandIn, standInSearch } from './search.ts';
import { type Demo, nextOpenDay, seedOnce } from './seed.ts';

/** Defaults: free ports, all regions, in memory, no demo accounts. */
export interface RuntimeOptions extends Partial<Omit<StartOptions, 'verbose'>> {
  readonly log?: Log;
  /** The clock of the functions, the queue and the schedules. */
  readonly clock?: Clock;
  /** A state that the caller has opened, for a service without a directory. */
  readonly state?: State;
  /** Opens another database than the embedded one, with these tables. */
  readonly openDatabase?: ((tables: readonly Tables[]) => Promise<Database>) | undefined;
}

const graceMs = 1000;
const longestStepMs = 4000;

/** Stops the parts of the service in the order of `parts`, even if some fail. */
const createShutdown = (log: Log) => {
  type Steps = (() => unknown)[];
  // Connections of attempts close after their regions, which then store nothing: otherwise they would
  // store failed attempts.
  const parts = { regions: [] as Steps, gateway: [] as Steps, attempts: [] as Steps, state: [] as Steps };
  const end = (step: () => unknown) =>
    withTimeout(longestStepMs, async () => step()).catch((error: unknown) => log({ message: 'stop failed', error: describeError(error) }));
  const endAll = async () => {
    for (const steps of Object.values(parts)) await Promise.all(steps.map(end));
  };
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= endAll();
    return running;
  };
  return { ...parts, run };
};

/** Context of each phase of the start. */
interface Setting extends RuntimeOptions {
  readonly regions: readonly [Region, ...Region[]];
  readonly clock: Clock;
  readonly log: Log;
  readonly shutdown: ReturnType<typeof createShutdown>;
}

/** The fully started service. */
interface Service {
  readonly urls: Readonly<Record<Region, string>>;
  readonly demo: Demo;
  readonly accounts: KnownAccounts;
  regionOf(region: Region): RunningRegion;
}

const invokerOf =
  (service: Promise<Service>): InvokeAction =>
  async (region, call) => {
    const { regionOf, accounts } = await service;
    const response = await regionOf(region).invokeAction(call);
    accounts.note(region, call, response);
    return response;
  };

/** Resources that a secret key retrieves by id, for example `orders`. */
const retrieved = allRoutes.flatMap(
  ({ method, path, keys }) => (method === 'GET' && keys === 'secret' && /^\/(\w+)\/{id}$/.exec(path)?.[1]) || [],
);

/** Returns a region's API for the docs, with the keys of its demo account and its newest ids. */
const sampleTargetFinder =
  (service: Promise<Service>, clock: Clock): FindSampleTarget =>
  async (region, wantsIds) => {
    const { urls, demo, regionOf } = await service;
    const { secretKey, publishableKey, product } = demo[region] ?? {};
    /** Returns the newest id; undefined if there is no record or the account cannot be read now. */
    const newest = async (key: string, resource: string) => {
      const page = await callApi(regionOf(region).stage, key, 'GET', `/${resource}?limit=1`).catch(() => ({ data: [] }));
      return [resource, (page['data'] as { id: string }[])[0]?.id] as const;
    };
    const listed = wantsIds && secretKey ? retrieved : [];
    return {
      base: `${urls[region]}/api/v2`,
      key: secretKey,
      publishableKey,
      ids: Object.fromEntries([['products', product], ...(await Promise.all(listed.map((name) => newest(secretKey ?? '', name))))]),
      openDay: nextOpenDay(isoFromMs(clock.now())),
    };
  };

/**
 * Starts to listen immediately, so that a port in use is found early. Requests wait until the
 * service is ready.
 */
const openGateway = async (setting: Setting, space: Space, service: Promise<Service>): Promise<Gateway> => {
  const { port = 0, host, regions, clock, log, shutdown } = setting;
  const handleRequest = createHandler({ clock, log, space });
  const invokeAction = invokerOf(service);
  const gateway = await startGateway({
    port,
    host,
    regions,
    handle: async (region, request, response) => {
      if (leadsToDocs(request, response)) return;
      const { regionOf } = await service;
      await handleRequest(regionOf(region).stage, request, response);
    },
    pages: [
      createOwnEndpoints({
        regions,
        isReady: async () => (await Promise.race([service, undefined])) !== undefined,
        invokeAction,
        localRegions: async () => {
          const { urls, demo } = await service;
          return regions.map((region) => ({ region, url: `${urls[region]}/api/v2`, demo: demo[region] ?? null }));
        },
      }),
      ifInstalled(
        createDevelopersPage({
          regions,
          invokeAction,
          accountsOf: async (region) => {
            const { accounts, demo } = await service;
            return accounts.list(region, demo[region]);
          },
        }),
      ),
      ifInstalled(createDocsSite(sampleTargetFinder(service, clock))),
      ...createSearchStandIn(async (region) => (await service).regionOf(region).products, clock),
    ],
    log,
  });
  shutdown.gateway.push(() => gateway.stop(graceMs));
  return gateway;
};

const openEmbedded = ({ clock, log, shutdown }: Setting, state: State, tables: readonly Tables[]): Database => {
  const engine = openEngine(state, tables.flatMap(shapesOf), () => clock.now());
  // With a test's clock, items expire only if the test says so.
  if (clock === systemClock) shutdown.regions.push(startExpiry(engine, log));
  return { client: embeddedClient(engine.execute), changes: engine.changes, trim: engine.trim };
};

const openRegions = async (setting: Setting, state: State): Promise<ReadonlyMap<Region, RunningRegion>> => {
  const { dataDir, timeScale = 1, allowLoopbackWebhooks = false, regions, clock, log, shutdown } = setting;
  const names = regions.map((region) => ({ region, tableName: `bakery-${region}`, bucketsTableName: `bakery-${region}-buckets` }));
  const database = await (setting.openDatabase?.(names) ?? openEmbedded(setting, state, names));
  const secrets = openSecrets({ clock, log, read: openParameters(dataDir) });
  const policy = { allowLoopback: allowLoopbackWebhooks, timeScale };
  const running = new Map<Region, RunningRegion>();
  for (const { region, ...tables } of names) {
    const opened = await openRegion({ region, database, tables, state, secrets, policy, clock, log });
    shutdown.regions.push(() => opened.stop(graceMs));
    shutdown.attempts.push(() => opened.close(graceMs));
    running.set(region, opened);
  }
  return running;
};

const startIn = async (setting: Setting, space: Space) => {
  const { dataDir, seed = false, regions, shutdown } = setting;
  const { promise: service, resolve: open } = Promise.withResolvers<Service>();
  const state = setting.state ?? (await openState(dataDir));
  if (!setting.state) shutdown.state.push(() => state.close());
  const gateway = await openGateway(setting, space, service);
  const running = await openRegions(setting, state);
  const regionOf = (region: Region): RunningRegion => {
    const found = running.get(region);
    if (!found) throw new Error(`Region ${region} is not running.`);
    return found;
  };
  const urls = Object.fromEntries(regions.map((region) => [region, `http://127.0.0.1:${gateway.regionPorts[region]}`])) as Service['urls'];
  const demo: Demo = seed
    ? await seedOnce(state, regions, (region) => ({
        invoke: regionOf(region).invokeAction,
        post: (key, path, body) => callApi(regionOf(region).stage, key, 'POST', path, body),
        search: standInSearch(region, urls[region]),
      }))
    : {};
  open({ urls, demo, accounts: openKnownAccounts(state), regionOf });
  // The first read of the stream takes some milliseconds. The caller does not wait for it.
  const background = setImmediate(() => {
    for (const region of running.values()) region.startBackground();
  });
  shutdown.regions.push(() => clearImmediate(background));
  return {
    /** Port for all regions. The first label of the host selects the region. */
    port: gateway.port,
    /** Origin of each running region on its own port: `http://127.0.0.1:4001`. */
    urls,
    /** The demo accounts by region; empty without a seed. */
    demo,
    /** The addresses of the pages whose packages are installed. */
    pages: availablePages(),
    regions,
    invokeAction: invokerOf(service),
    /** Runs the sweep of a region now. */
    sweep: (region: Region) => regionOf(region).sweep(),
    /** Resolves with a sentence if the databases have no space left. */
    outOfSpace: space.ended,
    /** Waits for running work, and keeps the rest for the next start. */
    stop: shutdown.run,
  };
};

/** The whole service in this process. */
export type Runtime = Awaited<ReturnType<typeof startIn>>;

/**
 * Starts everything. Throws a `UsageError` of one sentence if the machine or the options do not
 * allow it.
 */
export const startRuntime = async (options: RuntimeOptions = {}): Promise<Runtime> => {
  const { clock = systemClock } = options;
  const space = watchSpace(options.dataDir);
  const log: Log = (line) => {
    space.read(line);
    options.log?.(line);
  };
  const [first = 'us', ...others] = options.regions ?? allRegions;
  const shutdown = createShutdown(log);
  try {
    return await startIn({ ...options, regions: [first, ...others], clock, log, shutdown }, space);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
};
