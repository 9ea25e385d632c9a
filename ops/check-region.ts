import type { ActionName, ActionOutput } from '../functions/actions/index.ts';
import { type Api, attempted, type Checking, polled } from './check-links.ts';

/** Calls a dashboard action of the place that is checked. */
export type Ask = <Name extends ActionName>(
  action: Name,
  call: { readonly account?: string; readonly input: unknown; readonly token?: string; readonly signal: AbortSignal },
) => Promise<ActionOutput<Name>>;

/**
 * Delay of the redelivery in seconds: longer than `deliver` takes to make the schedule. The schedule
 * fires up to a minute after it.
 */
const delaySeconds = 10;

/**
 * Tests what callers of the API do not see, through dashboard actions: a schedule, the sweep's query,
 * the search of requests and the parking bucket. The other links run while the schedule waits.
 */
export const proveRegion = async (checking: Checking, ask: Ask, account: string, api: Api & { readonly event: string }): Promise<void> => {
  const { link, call, times, signal: outer } = checking;
  // Without a token no response is stored, so nothing of a check stays that belongs to no account.
  const act = <Name extends ActionName>(action: Name, of: string | undefined, input: object, within?: AbortSignal) =>
    call(action, (one) => {
      const signal = within ? AbortSignal.any([one, within]) : one;
      return ask(action, { ...(of !== undefined && { account: of }), input, signal });
    });

  // No parameter has this name, so Parameter Store's answer proves the way and the right.
  const readSecrets = async () => {
    const checkout = { gateway: 'stripe', secret_key: 'ssm:stripe/check', webhook_secret: 'ssm:stripe/check' };
    await act('settings.update', account, { checkout });
    const { checks } = await act('checkout.check', account, {});
    const problem = checks[0]?.problem ?? '';
    if (!problem.includes('ParameterNotFound')) throw new Error(`a secret cannot be read: ${problem}`);
  };
  await link('Secrets', readSecrets, () => 'Parameter Store was asked for a secret of the account');

  const startMs = performance.now();
  const redeliver = async () => {
    const input = { endpoint_id: api.endpoint, event_id: api.event, delay_seconds: delaySeconds };
    const { not_before } = await act('webhook.redeliver', account, input);
    if (not_before === undefined) throw new Error('webhook.redeliver ignored delay_seconds');
    return not_before;
  };
  const notBefore = await link('Redelivery', redeliver, (at) => `its redelivery waits in a schedule until ${at}`);

  const sweep = () => act('delivery.requeue_overdue', undefined, { account_id: account });
  await link('Sweep', sweep, ({ requeued }) => `delivery.requeue_overdue read the due index: ${requeued} overdue`);

  const search = { ms: times.logMs, pollMs: times.slowPollMs, missing: () => 'request.list has not shown POST /expenses' };
  const listRequests = () =>
    polled(outer, search, async (signal) => {
      const { data } = await act('request.list', account, {}, signal);
      return data.find(({ method, route }) => method === 'POST' && route?.endsWith('/expenses')) && data;
    });
  await link('Requests', listRequests, ({ length }) => `request.list shows ${length} requests of the account`);

  const fires = () =>
    attempted(checking, api, {
      sinceMs: Date.parse(notBefore),
      ms: times.scheduleMs - (performance.now() - startMs),
      pollMs: times.slowPollMs,
    });
  await link('Schedule', fires, ({ last_attempt_at: at }) => `the schedule fired and deliver made the attempt at ${at}`);

  // Last, because the metric ChecksPassed counts its log line.
  const park = () => act('stream.check_parking', undefined, {});
  await link('Parking', park, ({ parked }) => `fan-out parked ${parked}, and it was read`);
};
