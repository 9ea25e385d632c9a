import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../shared/core/clock.ts';
import { describeError, type Log } from '../shared/core/log.ts';
import { regions as allRegions, type Region } from '../shared/core/regions.ts';
import { openSecrets } from '../shared/providers/secrets.ts';
import { type EngineOptions, startEngine } from './engine/dynamodb.ts';
import { openState } from './engine/state.ts';
import { openParameters } from './engine/storage.ts';
import { consumedStreams } from './engine/stream-records.ts';
import { createTables } from './engine/tables.ts';
import { callApi } from './gateway/call.ts';
import { createHandler } from './gateway/handle.ts';
import { createOwnEndpoints } from './gateway/own-endpoints.ts';
import { leadsToDocs } from './gateway/pages.ts';
import { createRequestFeed } from './gateway/request-feed.ts';
import { type Gateway, startGateway } from './gateway/server.ts';
import { withTimeout } from './lambda.ts';
import { createDevelopersPage, type KnownAccounts, openKnownAccounts } from './pages/developers.ts';
import { createDocsSite, type DocsSiteOptions } from './pages/docs.ts';
import type { ActionCall } from './region.ts';
import { type RunningRegion, startRegion } from './running-region.ts';
import { createSearchStandIn, standInSearch } from './search/serve.ts';
import { type Demo, nextOpenDay, seedOnce } from './seed.ts';
import { watchSpace } from './space.ts';

export interface RuntimeOptions {
  /** Of all regions; 0 (default) takes free ones, else the regions alone are at N+1 (us), N+2 (au), N+3 (eu). */
  readonly port?: number;
  /** The IP address to listen at; loopback where absent. */
  readonly host?: string | undefined;
  readonly regions?: readonly Region[];
  /** Where state survives; absent: memory only. */
  readonly dataDir?: string | undefined;
  /** Every wait between attempts is this many times shorter. */
  readonly timeScale?: number;
  readonly allowLoopbackWebhooks?: boolean;
  /** Makes the demo accounts on the first start (default false). */
  readonly seed?: boolean;
  readonly log?: Log;
  /** Time as the functions, the queue and the schedules see it. */
  readonly clock?: Clock;
  /** Finds the database engine; the best of this machine unless said otherwise. */
  readonly locate?: NonNullable<EngineOptions['locate']>;
}

/** The whole service in this process. */
export interface Runtime {
  /** All regions, chosen by the label of the host. */
  readonly port: number;
  readonly regionPorts: Readonly<Partial<Record<Region, number>>>;
  /** Origin of each running region on its own port: `http://127.0.0.1:4001`. */
  readonly urls: Readonly<Record<Region, string>>;
  /** The demo accounts by region; empty without a seed. */
  readonly demo: Demo;
  readonly engine: string;
  readonly regions: readonly Region[];
  /** One dashboard action: `{ ok: true, result }` or `{ ok: false, status, body }`. */
  invokeAction(region: Region, call: ActionCall): Promise<unknown>;
  /** Runs the sweep of a region now. */
  sweep(region: Region): Promise<void>;
  /** Resolves with a sentence should the database end by itself. */
  readonly died: Promise<string>;
  /** Resolves with a sentence should there be no space left for the databases. */
  readonly outOfSpace: Promise<string>;
  /** Lets what runs end, keeps the rest for the next start. */
  stop(): Promise<void>;
}

/** YYYY-MM-DD in UTC. */
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const graceMs = 1000;
const longestStepMs = 4000;

/** Runs what was started in reverse, whatever fails. */
const createShutdown = (log: Log) => {
  const steps: (() => unknown)[] = [];
  let running: Promise<void> | undefined;
  const run = async () => {
    for (const step of steps.reverse())
      try {
        await withTimeout(longestStepMs, async () => step());
      } catch (error) {
        log({ message: 'stop failed', error: describeError(error) });
      }
  };
  return {
    add: (step: () => unknown) => void steps.push(step),
    run: () => {
      running ??= run();
      return running;
    },
  };
};

const firstOf = (regions: readonly Region[]): readonly [Region, ...Region[]] => {
  const [first = 'us', ...others] = regions;
  return [first, ...others];
};

/** Starts everything; throws a `UsageError` of one sentence where the machine or the options do not allow it. */
export const startRuntime = async (options: RuntimeOptions = {}): Promise<Runtime> => {
  const { port = 0, dataDir, timeScale = 1, allowLoopbackWebhooks = false, seed = false, clock = systemClock } = options;
  const space = watchSpace(dataDir);
  const log: Log = (line) => {
    space.read(line);
    options.log?.(line);
  };
  const regions = firstOf(options.regions ?? allRegions);
  const shutdown = createShutdown(log);
  const running = new Map<Region, RunningRegion>();
  let ready = false;
  let openDoors = () => {};
  const doors = new Promise<void>((resolve) => {
    openDoors = resolve;
  });

  const regionOf = (region: Region): RunningRegion => {
    const found = running.get(region);
    if (!found) throw new Error(`Region ${region} is not running.`);
    return found;
  };
  let noteAccount: KnownAccounts['note'] = () => {};
  const answer = createHandler({ clock, log, space });
  const requests = createRequestFeed({ clock });
  const handle = async (region: Region, request: IncomingMessage, response: ServerResponse) => {
    if (leadsToDocs(request, response)) return;
    await doors;
    return answer(regionOf(region).stage, request, response);
  };
  const invokeAction = async (region: Region, call: ActionCall) => {
    await doors;
    const answer = await regionOf(region).invokeAction(call);
    noteAccount(region, call, answer);
    return answer;
  };

  const places = async () => {
    await doors;
    const { gateway, demo } = started;
    return regions.map((region) => ({
      region,
      url: `http://127.0.0.1:${gateway.regionPorts[region]}/api/v2`,
      demo: demo[region] ?? null,
    }));
  };

  /** The id of the newest record of a list of the demo account; of none where there is none, or the account may not be read just now. */
  const newest = async (region: Region, key: string, resource: string) => {
    const page = await callApi(regionOf(region).stage, key, 'GET', `/${resource}?limit=1`).catch(() => ({ data: [] }));
    return [resource, (page['data'] as { id: string }[])[0]?.id] as const;
  };
  const placeOf: DocsSiteOptions['placeOf'] = async (region, wantsIds) => {
    const { gateway, demo } = started;
    const { secretKey, publishableKey, product } = demo[region] ?? {};
    const listed = wantsIds && secretKey ? ['orders', 'customers', 'expenses', 'webhooks'] : [];
    return {
      base: `http://127.0.0.1:${gateway.regionPorts[region]}/api/v2`,
      key: secretKey,
      publishableKey,
      ids: Object.fromEntries([['products', product], ...(await Promise.all(listed.map((name) => newest(region, secretKey ?? '', name))))]),
      openDay: nextOpenDay(dayOf(clock.now())),
    };
  };

  const start = async () => {
    const state = await openState(dataDir);
    const known = openKnownAccounts(state);
    noteAccount = known.note;
    const accountsOf = (region: Region) => known.list(region, started.demo[region]);
    shutdown.add(() => state.close());
    // After the database is gone: a connection cut before would be recorded as a failed attempt.
    shutdown.add(() => Promise.all([...running.values()].map((region) => region.close(graceMs))));
    const opening = startGateway({
      port,
      host: options.host,
      regions,
      handle,
      handleOwn: createOwnEndpoints({ regions, isReady: () => ready, invokeAction, places, requests }),
      pages: [
        createDevelopersPage({ regions, ready: doors, invokeAction, accountsOf }),
        createDocsSite({ ready: doors, placeOf }),
        ...createSearchStandIn({ ready: doors, productsOf: (region) => regionOf(region).products, clock }),
      ],
      log,
    });
    const starting = startEngine({
      ...(dataDir === undefined ? {} : { dataDir }),
      consumed: consumedStreams(state),
      ...(options.locate ? { locate: options.locate } : {}),
    });
    const [gateway, engine] = await Promise.allSettled([opening, starting]);
    if (engine.status === 'fulfilled') shutdown.add(() => engine.value.stop());
    if (gateway.status === 'fulfilled') shutdown.add(() => gateway.value.stop(graceMs));
    shutdown.add(requests.end);
    if (gateway.status === 'rejected') throw gateway.reason;
    if (engine.status === 'rejected') throw engine.reason;
    const { client, trim } = engine.value;
    const tables = await createTables(
      client,
      regions.map((region) => ({ tableName: `bakery-${region}`, bucketsTableName: `bakery-${region}-buckets` })),
    );
    const secrets = openSecrets({ clock, read: openParameters(dataDir) });
    const policy = { allowLoopback: allowLoopbackWebhooks, timeScale };
    for (const [i, region] of regions.entries()) {
      const regionTables = tables[i];
      if (!regionTables) throw new Error(`No tables for ${region}.`);
      const regionLog: Log = (line) => {
        log({ region, ...line });
        requests.tell(region, line);
      };
      running.set(region, await startRegion({ region, client, trim, tables: regionTables, state, secrets, policy, clock, log: regionLog }));
    }
    shutdown.add(() => Promise.all([...running.values()].map((region) => region.stop(graceMs))));
    const demo = seed
      ? await seedOnce(state, regions, {
          invoke: (region, call) => regionOf(region).invokeAction(call),
          post: (region, key, path, body) => callApi(regionOf(region).stage, key, 'POST', path, body),
          searchOf: (region) => standInSearch(region, `http://127.0.0.1:${gateway.value.regionPorts[region]}`),
        })
      : {};
    return { gateway: gateway.value, engine: engine.value, demo };
  };

  let started: { gateway: Gateway; engine: Awaited<ReturnType<typeof startEngine>>; demo: Demo };
  try {
    started = await start();
  } catch (error) {
    await shutdown.run();
    throw error;
  }
  ready = true;
  openDoors();
  const { gateway, engine, demo } = started;
  const urls = Object.fromEntries(Object.entries(gateway.regionPorts).map(([region, own]) => [region, `http://127.0.0.1:${own}`]));
  return {
    port: gateway.port,
    regionPorts: gateway.regionPorts,
    urls: urls as Record<Region, string>,
    demo,
    engine: engine.kind,
    regions,
    invokeAction,
    sweep: (region) => regionOf(region).sweep(),
    outOfSpace: space.ended,
    died: engine.died.then((words) => `The embedded database ended by itself: ${words.trim()}`),
    stop: shutdown.run,
  };
};
