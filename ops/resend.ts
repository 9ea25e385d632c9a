import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { missingOptions, type OpsAccount, openAccount } from './account.ts';
import { idOf, readOptions } from './arguments.ts';
import { type Outcome, ServiceError } from './response.ts';
import type { Terminal } from './terminal.ts';

const resendHelp = `Delivers an event again, with the same id and body and a new run of the retry
schedule, to each enabled endpoint that has a delivery of it.

Usage:
  bakery-ops resend <event id> --region R --account ID [options]

Options:
  --endpoint ID    only this endpoint; fails if the endpoint rejects it
  --region R       region of the account: us, au or eu
  --account ID     account
  --port N         port of the local service (default 4000)
  --stack [NAME]   deployed stack
  --output json    JSON on a terminal too

An endpoint that was registered after the event has no delivery of it.
`;

type Sending = 'resent' | 'disabled' | 'absent';

const resendTo = async ({ act }: OpsAccount, { id, enabled }: { id: string; enabled: boolean }, event_id: string): Promise<Sending> => {
  try {
    await act('webhook.redeliver', { endpoint_id: id, event_id });
    return 'resent';
  } catch (error) {
    const code = error instanceof ServiceError ? error.body.error['code'] : undefined;
    if (code === 'not_found') return 'absent';
    // If the endpoint is enabled, another call has just sent the event again.
    if (code === 'conflict') return enabled ? 'resent' : 'disabled';
    throw error;
  }
};

/** Runs `ops resend`. Its result has the endpoints that get the event again. */
export const resend = async (args: readonly string[], { env }: Pick<Terminal, 'env'>): Promise<Outcome> => {
  const { help, values, positionals, choice } = readOptions('resend', args, { endpoint: { type: 'string' } });
  if (help) return resendHelp;
  const [event, more] = positionals;
  if (event === undefined) throw invalidValue('event', 'Name the event: evt_….');
  if (more !== undefined) throw invalidValue('event', `Name one event only, without "${more}".`);
  const { endpoint } = values;
  idOf('event', 'evt_', event);
  if (endpoint !== undefined) idOf('endpoint', 'whe_', endpoint);
  const chosen = choice();
  const missing = (['region', 'account'] as const).filter((name) => chosen[name] === undefined);
  if ('port' in chosen && missing.length > 0) throw await missingOptions('resend', missing, chosen);
  const account = await openAccount(chosen, env);
  if (endpoint !== undefined) {
    await account.act('webhook.redeliver', { endpoint_id: endpoint, event_id: event });
    return { result: { event, resent: [endpoint], disabled: [] } };
  }
  const { data } = await account.act('webhook.list');
  const found: Record<Sending, string[]> = { resent: [], disabled: [], absent: [] };
  for (const one of data) found[await resendTo(account, one, event)].push(one.id);
  const { resent, disabled } = found;
  if (resent.length > 0) return { result: { event, resent, disabled } };
  if (disabled.length > 0)
    throw new ApiError(
      'conflict',
      `Every endpoint that received the event is disabled: ${disabled.join(', ')}. Run webhook.enable, then resend.`,
    );
  throw new ApiError('not_found', `No endpoint has a delivery of ${event}.`);
};
