import { notFound } from '../../shared/core/errors.ts';
import { isoFromMs } from '../../shared/core/time.ts';
import type { Endpoint } from '../../shared/domain/webhook/record.ts';
import { switched } from '../../shared/domain/webhook/rules.ts';
import { endpointView } from '../../shared/domain/webhook/view.ts';
import type { ActionServices, Decision } from './action.ts';

/** The endpoint of the account; throws 404 where there is none. */
export const endpointOf = async ({ store }: Pick<ActionServices, 'store'>, account: string, id: string): Promise<Endpoint> => {
  const endpoint = await store.endpoints.get(account, id);
  if (!endpoint) throw notFound('Webhook endpoint');
  return endpoint;
};

/** Enables or disables an endpoint, as PATCH of the REST API does; the endpoint as it then stands. */
export const switchEndpoint = async (
  { store, clock }: ActionServices,
  account: string,
  id: string,
  enabled: boolean,
): Promise<Decision> => {
  const endpoint = await endpointOf({ store }, account, id);
  const nowMs = clock.now();
  const changes = { ...switched(endpoint, enabled, nowMs), updated_at: isoFromMs(nowMs) };
  return { result: endpointView({ ...endpoint, ...changes }), writes: store.endpoints.updateWrites(endpoint, changes) };
};
