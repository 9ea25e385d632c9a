import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import type { Region } from '../../shared/core/config.ts';
import { foreignDatabase } from './engine.ts';
import { type HttpRequest, type HttpResponse, messageOf, sendHttp } from './http.ts';
import { assertDocumented, deliveryFaults } from './openapi.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A merchant of one region with a secret key that may do everything. */
export interface Merchant {
  readonly region: Region;
  readonly account: string;
  readonly key: string;
  /**
   * The published client with the merchant's key; it repeats nothing, so that no fault of the
   * service hides behind a retry.
   */
  readonly api: Client;
  /** On the region's own port, relative to `/api/v2`. */
  call(method: string, path: string, body?: unknown): Promise<HttpResponse>;
  /** Runs a dashboard action on the account. Throws if it fails. */
  act(action: string, input?: unknown): Promise<any>;
}

/** The whole service over HTTP, with a receiver of its deliveries. */
export interface Journey {
  readonly runtime: Runtime;
  readonly receiver: Receiver;
  request(url: string, method: string, request?: HttpRequest): Promise<HttpResponse>;
  merchant(region?: Region): Promise<Merchant>;
  stop(): Promise<void>;
}

/** Sends a request, and compares the response with the OpenAPI document. */
const send: Journey['request'] = async (url, method, request = {}) => {
  const response = await sendHttp(url, method, request);
  const { pathname, search } = new URL(url);
  const { headers, payload } = messageOf(request);
  assertDocumented({ method, path: pathname, ...response }, { search, headers, body: payload as string | undefined });
  return response;
};

/** The client's `fetch`. It also compares the responses with the OpenAPI document. */
const documentedFetch = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init);
  const text = await response.clone().text();
  const { status, headers } = response;
  const { pathname, search } = new URL(url);
  const sent = { search, headers: init.headers as Record<string, string>, body: init.body as string | undefined };
  assertDocumented({ method: init.method ?? 'GET', path: pathname, status, headers: Object.fromEntries(headers), text }, sent);
  return response;
};

/** Runs a dashboard action on a running service. Throws if it is rejected. */
export const actIn = async (runtime: Runtime, region: Region, action: string, input: unknown, account?: string): Promise<any> => {
  const response = (await runtime.invokeAction(region, { action, input, ...(account === undefined ? {} : { account }) })) as any;
  if (!response.ok) throw new Error(`${action}: ${JSON.stringify(response.body)}`);
  return response.result;
};

/** The service in this process, in memory, with loopback webhooks. */
export const startJourney = async (options: RuntimeOptions = {}): Promise<Journey> => {
  const [runtime, receiver] = await Promise.all([
    startRuntime({
      allowLoopbackWebhooks: true,
      openDatabase: options.dataDir === undefined ? foreignDatabase : undefined,
      ...options,
    }),
    startReceiver(),
  ]);
  return {
    runtime,
    receiver,
    request: send,
    async merchant(region = 'us') {
      const { id: account } = await actIn(runtime, region, 'account.create', { name: 'Journey Bakery', plan: 'business' });
      const act: Merchant['act'] = (action, input = {}) => actIn(runtime, region, action, input, account);
      const { key } = await act('key.create', { type: 'secret', group: 'fullAccess', name: 'journey' });
      const origin = runtime.urls[region];
      return {
        region,
        account,
        key,
        act,
        api: createClient({ apiKey: key, baseUrl: `${origin}/api/v2`, fetch: documentedFetch, maxRetries: 0 }),
        call: (method, path, body) => send(`${origin}/api/v2${path}`, method, { key, body }),
      };
    },
    async stop() {
      receiver.release();
      await runtime.stop();
      await receiver.stop();
      const faults = receiver.received().flatMap(({ headers, body }) => deliveryFaults(headers, body.toString()));
      if (faults.length > 0) throw new Error(`Deliveries disagree with docs/openapi.json:\n${faults.join('\n')}`);
    },
  };
};

export { eventually } from './eventually.ts';
