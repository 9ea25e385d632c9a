import type { Random } from '../scheduler/random.ts';
import { type Temperament, temperaments } from '../world/receivers.ts';
import type { Seen } from '../world/region.ts';
import { send } from './integrator.ts';
import { type EndpointAction, madeRecord } from './journal.ts';
import type { Stage } from './person.ts';

/** The most time for which a request without a response may run. */
const longestUnseenMs = 45_000;

/** Records a request that changes an endpoint, and its response. */
const note = (
  { journal, tenant }: Stage,
  { response, begunMs, endedMs }: Seen,
  action: Pick<EndpointAction, 'kind' | 'id' | 'url'>,
  secret?: string,
): void => {
  const isUnknown = response === undefined || response.status >= 500;
  const outcome = isUnknown ? 'unknown' : response.status < 300 ? 'done' : 'refused';
  const ended = isUnknown ? endedMs + longestUnseenMs : endedMs;
  journal.endpoints.push({ ...action, account: tenant.account, outcome, status: response?.status, secret, begunMs, endedMs: ended });
};

/** Registers an endpoint for events. Undefined if that was not acknowledged. */
export const registerFor = async (
  stage: Stage,
  name: string,
  events: readonly string[],
  temperament: Temperament,
): Promise<string | undefined> => {
  const { region, journal, tenant } = stage;
  const url = region.receivers.open(temperament);
  const seen = await send(region, journal, { method: 'POST', path: '/webhooks', key: tenant.key, body: { url, events } });
  region.world.scheduler.note(name, `POST /webhooks ${url}: ${seen.response?.status ?? 'no answer'}`);
  const { id, secret } = (madeRecord({ seen }) ?? {}) as { readonly id?: string; readonly secret?: string };
  note(stage, seen, { kind: 'create', id, url }, secret);
  if (id !== undefined) tenant.endpoints.push(id);
  return id;
};

const patch = async (stage: Stage, name: string, id: string, body: object, kind: EndpointAction['kind'], url?: string): Promise<void> => {
  const { region, journal, tenant } = stage;
  const seen = await send(region, journal, { method: 'PATCH', path: `/webhooks/${id}`, key: tenant.key, body });
  region.world.scheduler.note(name, `PATCH /webhooks/${id} ${JSON.stringify(body)}: ${seen.response?.status ?? 'no answer'}`);
  note(stage, seen, { kind, id, url });
};

export const enable = (stage: Stage, name: string, id: string) => patch(stage, name, id, { enabled: true }, 'enable');
export const disable = (stage: Stage, name: string, id: string) => patch(stage, name, id, { enabled: false }, 'disable');

/** Changes an endpoint's URL to one that no endpoint had before. */
export const move = (stage: Stage, name: string, id: string, random: Random): Promise<void> => {
  const url = stage.region.receivers.open(random.pick(temperaments));
  return patch(stage, name, id, { url }, 'move', url);
};

export const rotate = async (stage: Stage, name: string, id: string): Promise<void> => {
  const { region, journal, tenant } = stage;
  const seen = await send(region, journal, { method: 'POST', path: `/webhooks/${id}/rotate-secret`, key: tenant.key });
  region.world.scheduler.note(name, `POST /webhooks/${id}/rotate-secret: ${seen.response?.status ?? 'no answer'}`);
  note(stage, seen, { kind: 'rotate', id, url: undefined }, madeRecord({ seen })?.['secret'] as string | undefined);
};

export const remove = async (stage: Stage, name: string, id: string): Promise<void> => {
  const { region, journal, tenant } = stage;
  const seen = await send(region, journal, { method: 'DELETE', path: `/webhooks/${id}`, key: tenant.key });
  region.world.scheduler.note(name, `DELETE /webhooks/${id}: ${seen.response?.status ?? 'no answer'}`);
  note(stage, seen, { kind: 'remove', id, url: undefined });
};

/** The specification's limit of tests, as the header of a 429 states it. */
const testLimit = '10';
/** The most counts of one test: the AWS client repeats the count twice if the response was lost. */
const countsOfLost = 3;

/** Sends a test event through the REST API. */
export const test = async (stage: Stage, name: string, id: string): Promise<void> => {
  const { region, journal, tenant } = stage;
  const { account, key } = tenant;
  const { response, disturbed, begunMs, endedMs } = await send(region, journal, { method: 'POST', path: `/webhooks/${id}/test`, key });
  region.world.scheduler.note(name, `POST /webhooks/${id}/test: ${response?.status ?? 'no answer'}`);
  // If the count fails, the service also rejects.
  const isLimited = response?.status === 429 && response.rateLimit === testLimit && !disturbed;
  const outcome = response?.status === 200 ? 'passed' : isLimited ? 'limited' : 'other';
  journal.tests.push({ account, outcome, counts: disturbed ? countsOfLost : 1, begunMs, endedMs });
};

/** Sends a test event from the dashboard, which also counts it. */
export const testByAction = async ({ region, journal, tenant }: Stage, id: string, token: string): Promise<void> => {
  const { account } = tenant;
  const begunMs = region.world.scheduler.now();
  const response = await region.action({ action: 'webhook.test', account, input: { id }, token });
  const outcome = response?.ok ? 'passed' : 'other';
  journal.tests.push({ account, outcome, counts: countsOfLost, begunMs, endedMs: region.world.scheduler.now() });
};
