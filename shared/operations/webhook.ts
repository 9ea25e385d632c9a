import type { Clock } from '../core/clock.ts';
import { ApiError, notFound } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { Random } from '../core/random.ts';
import { isoFromMs, withLaterTime } from '../core/time.ts';
import { isSame } from '../domain/erased-fields.ts';
import type * as wire from '../domain/webhook/fields.ts';
import { endpointView, rotatedSecretView, testResultView } from '../domain/webhook/fields.ts';
import { type DeliveryStatus, type Endpoint, previousSecret } from '../domain/webhook/record.ts';
import type { EndpointInput, EndpointPatch } from '../domain/webhook/rules.ts';
import { newEndpoint, secretRotation, switchEndpoint } from '../domain/webhook/rules.ts';
import type { Item } from '../table/client.ts';
import type { Store } from '../table/store.ts';
import type { DeliveryPolicy } from '../webhooks/policy.ts';
import type { Sender } from '../webhooks/sender.ts';
import { newSecret } from '../webhooks/signing.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import { assertUrl } from '../webhooks/url-rules.ts';
import { type Decision, type Operation, type OperationCall, operation } from './operation.ts';
import { type PagedCall, pageBody, pageRequest } from './pages.ts';

interface Services {
  readonly store: Store;
  readonly random: Random;
  readonly newId: NewId;
  readonly policy: DeliveryPolicy;
}

/** Error of a delivery to a disabled endpoint. */
export const endpointDisabled = 'The endpoint is disabled. Enable it, then repeat the request.';

/** Returns the endpoint. Throws `not_found` if it is undefined. */
export const requireEndpoint = (endpoint: Endpoint | undefined): Endpoint => {
  if (!endpoint) throw notFound('Webhook endpoint');
  return endpoint;
};

/**
 * Makes an operation on one endpoint. It throws `not_found` if the account has no such endpoint.
 */
const onEndpoint = <Body, Result>(
  { store }: Pick<Services, 'store'>,
  decide: (call: OperationCall<Body>, endpoint: Endpoint) => Decision<Result> | Promise<Decision<Result>>,
): Operation<OperationCall<Body>, Endpoint | undefined, Result> => ({
  read: ({ account, id }) => store.endpoints.get(account, id),
  decide: (call, endpoint) => decide(call, requireEndpoint(endpoint)),
});

/** Registers an endpoint. Its response contains the signing secret. */
export const createEndpoint = ({ store, random, newId, policy }: Services) =>
  operation({
    decide({ body, nowMs }: OperationCall<EndpointInput>, _data, account) {
      assertUrl(body.url, policy);
      const endpoint = newEndpoint({ id: newId('whe', nowMs), account, secret: newSecret(random) }, body, nowMs);
      const result: wire.WebhookEndpointWithSecret = { ...endpointView(endpoint), secret: endpoint.secret };
      return { result, writes: store.endpoints.createWrites(endpoint) };
    },
  });

export const retrieveEndpoint = (services: Pick<Services, 'store'>) =>
  onEndpoint(services, (_call, endpoint) => ({ result: endpointView(endpoint) }));

/** Changes those fields of the endpoint that the request contains. */
export const updateEndpoint = (services: Services) =>
  onEndpoint<EndpointPatch, wire.WebhookEndpoint>(services, ({ body: { url, events, description, enabled }, nowMs }, endpoint) => {
    if (url !== undefined) assertUrl(url, services.policy);
    const changes = {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events }),
      ...(description === undefined ? {} : { description }),
      ...(enabled === undefined ? {} : switchEndpoint(endpoint, enabled, nowMs)),
    };
    const changed = Object.entries({ ...endpoint, ...changes }).filter(([name, value]) => !isSame(value, endpoint[name as keyof Endpoint]));
    if (changed.length === 0) return { result: endpointView(endpoint) };
    // Statistics move no updated_at (decisions §6).
    const isShown = changed.some(([name]) => name !== 'consecutive_failures');
    const complete = isShown ? withLaterTime(endpoint, { ...changes, updated_at: isoFromMs(nowMs) }) : changes;
    return { result: endpointView({ ...endpoint, ...complete }), writes: services.store.endpoints.updateWrites(endpoint, complete) };
  });

/** Deletes the endpoint. A pending delivery fails when its next attempt is due. */
export const deleteEndpoint = (services: Pick<Services, 'store'>) =>
  onEndpoint<unknown, wire.DeletedWebhookEndpoint>(services, (_call, endpoint) => ({
    result: { deleted: true, id: endpoint.id },
    writes: services.store.endpoints.deleteWrites(endpoint),
  }));

export const rotateSecret = (services: Pick<Services, 'store' | 'random'>) =>
  onEndpoint<unknown, wire.RotatedSecret>(services, ({ nowMs }, endpoint) => {
    const changes = secretRotation(endpoint, newSecret(services.random), nowMs);
    return { result: rotatedSecretView(endpoint.id, changes), writes: services.store.endpoints.updateWrites(endpoint, changes) };
  });

interface TestServices extends Pick<Services, 'store' | 'newId'> {
  readonly clock: Clock;
  readonly sender: Sender;
  /**
   * Counts one test for the account. Throws if the account is above its limit. The REST API and the
   * dashboard throw different errors.
   */
  readonly countTest: (account: string) => Promise<void>;
}

/**
 * Sends one `webhook.test` now, without retries, a delivery record or statistics (§ Webhooks, Test
 * rules).
 */
export const testEndpoint = (services: TestServices) =>
  onEndpoint<unknown, wire.WebhookTestResult>(services, async ({ account, nowMs: requestStartMs }, endpoint) => {
    if (!endpoint.enabled) throw new ApiError('conflict', endpointDisabled);
    await services.countTest(account);
    const nowMs = services.clock.now();
    const tested = { ...endpoint, previousSecret: previousSecret(endpoint, nowMs) };
    const result = await sendTestEvent(services, tested, { requestStartMs, nowMs });
    return { result: testResultView(result) };
  });

/**
 * Lists the delivery log of an endpoint, newest first. Throws 404 for an unknown endpoint even if
 * the cursor is also invalid.
 */
export const listDeliveries = <Listed, View>(
  { store }: Pick<Services, 'store'>,
  decode: (item: Item) => Listed,
  view: (record: Listed) => View,
) =>
  operation({
    async read(call: PagedCall<{ readonly status?: DeliveryStatus | undefined }>) {
      const { account, id, query } = call;
      const [endpoint, [page]] = await Promise.all([
        store.endpoints.get(account, id),
        Promise.allSettled([(async () => store.deliveries.listAs(decode, account, id, query.status, pageRequest(call)))()]),
      ]);
      return { endpoint, page };
    },
    decide(call, { endpoint, page }) {
      requireEndpoint(endpoint);
      if (page.status === 'rejected') throw page.reason;
      return { result: pageBody(call, page.value, view) };
    },
  });
