import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { type OpsAccount, openAccount } from './account.ts';
import { Refusal } from './answer.ts';
import { readOptions } from './arguments.ts';
import type { Terminal } from './terminal.ts';

const resendHelp = `Usage: npm run --silent ops -- resend <event id> [options]

Delivers an event again, with the same id and body, on a new run of the retry schedule: to every endpoint that has a delivery of it,
or to one. An endpoint that was registered after the event has none, and one that is disabled is left out.

  --endpoint ID    only this endpoint; its refusal is then an error
  --region R       us, au or eu (default the first that runs)
  --account ID     another account than the region's demo account
  --port N         port of the local service (default 4000)
  --stack [NAME]   a deployed stack instead, with the usual AWS credentials; then --region and --account are needed
`;

interface Resent {
  readonly event: string;
  /** Endpoints that get it again. */
  readonly resent: readonly string[];
  /** Endpoints that had it, and are disabled. */
  readonly disabled: readonly string[];
}

type Outcome = 'resent' | 'disabled' | 'absent';

const resendTo = async ({ act }: OpsAccount, { id, enabled }: { id: string; enabled: boolean }, event_id: string): Promise<Outcome> => {
  try {
    await act('webhook.redeliver', { endpoint_id: id, event_id });
    return 'resent';
  } catch (error) {
    const code = error instanceof Refusal ? error.body.error['code'] : undefined;
    if (code === 'not_found') return 'absent';
    // One that is enabled refuses what somebody else has just sent again.
    if (code === 'conflict') return enabled ? 'resent' : 'disabled';
    throw error;
  }
};

/** `ops resend`: which endpoints get the event again; a text is the help. */
export const resend = async (args: readonly string[], { env }: Pick<Terminal, 'env'>): Promise<string | Resent> => {
  const { help, values, positionals, choice } = readOptions('resend', args, { endpoint: { type: 'string' } } as const);
  if (help) return resendHelp;
  const [event, more] = positionals;
  if (event === undefined) throw invalidValue('event', 'Name the event: evt_….');
  if (more !== undefined) throw invalidValue('event', `One event at a time; "${more}" is too much.`);
  const { endpoint } = values as { endpoint?: string };
  const account = await openAccount(choice(), env);
  if (endpoint !== undefined) {
    await account.act('webhook.redeliver', { endpoint_id: endpoint, event_id: event });
    return { event, resent: [endpoint], disabled: [] };
  }
  const { data } = await account.act('webhook.list');
  const found: Record<Outcome, string[]> = { resent: [], disabled: [], absent: [] };
  for (const one of data) found[await resendTo(account, one, event)].push(one.id);
  const { resent, disabled } = found;
  if (resent.length > 0) return { event, resent, disabled };
  if (disabled.length > 0)
    throw new ApiError('conflict', `The event was for ${disabled.join(', ')} only, disabled; webhook.enable it first.`);
  throw new ApiError('not_found', `No endpoint has a delivery of ${event}.`);
};
