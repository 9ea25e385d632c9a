import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { eventTypes } from '../shared/domain/event/types.ts';
import { autoDisableAfter } from '../shared/domain/webhook/record.ts';
import { type OpsAccount, openAccount } from './account.ts';
import { Refusal } from './answer.ts';
import { readOptions } from './arguments.ts';
import { forwardUrl, type Heard, isLive, startReceiver } from './listen-receiver.ts';
import { keptSecret } from './listen-secret.ts';
import type { Stop } from './stop.ts';
import { type Terminal, visibleLine } from './terminal.ts';

const listenHelp = `Usage: npm run --silent ops -- listen [options]

Shows the events of an account as they happen, verifies their signatures, and forwards them. The local service must have been
started with --allow-loopback-webhooks. A temporary endpoint is registered and removed again on ^C. The signing secret that is
printed stays the same from run to run.

  --forward URL    your receiver: gets body and headers as they came, signed with the printed secret, and its status is answered
                   to the service, which retries
  --fresh          a new signing secret, also for the runs to come
  --events A,B     only these types (default all 20)
  --print-json     each event's body as one line on stdout; the line about it goes to stderr
  --region R       us, au or eu (default the first that runs)
  --account ID     another account than the region's demo account
  --port N         port of the local service (default 4000)
`;

/** By it the endpoint of a killed run is recognised. */
const description = 'Temporary: ops listen';

const endpointsOf = async ({ act }: OpsAccount) => (await act('webhook.list')).data;

const removeLeftovers = async (account: OpsAccount): Promise<number> => {
  const ours = (await endpointsOf(account)).filter((endpoint) => endpoint.description === description);
  const live = await Promise.all(ours.map(({ url }) => isLive(url)));
  const dead = ours.filter((_, i) => !live[i]);
  for (const { id } of dead) await account.act('webhook.delete', { id });
  return dead.length;
};

const register = async ({ act }: OpsAccount, url: string, events: readonly string[]) => {
  try {
    return await act('webhook.create', { url, events, description });
  } catch (error) {
    if (error instanceof Refusal && error.body.error['field'] === 'url')
      throw new ApiError(
        'invalid_value',
        'The service delivers to public https:// addresses only; stop it and start it with: npm start -- --allow-loopback-webhooks',
      );
    throw error;
  }
};

const typeWidth = Math.max(...eventTypes.map(({ length }) => length));

/** `15:04:05  order.created         evt_…  signature verified ✓  → 200 (3 ms)` */
const lineOf = ({ type, id, fault, forwarded }: Heard): string => {
  const verdict = fault === undefined ? 'signature verified ✓' : `signature NOT verified: ${fault} ✗`;
  const parts = [new Date().toTimeString().slice(0, 8), (type ?? 'no event').padEnd(typeWidth), id, verdict];
  if (forwarded) parts.push(`→ ${forwarded.status}${forwarded.problem ? `, ${forwarded.problem}` : ''} (${forwarded.ms} ms)`);
  return `${visibleLine(parts.join('  '))}\n`;
};

const lookEveryMs = 1000;

/** Looks after the endpoint while it is there: what a row of failures disabled is enabled again; resolves when it is gone. */
const watch = (account: OpsAccount, id: string, say: (text: string) => void) => {
  let timer: NodeJS.Timeout | undefined;
  const gone = new Promise<void>((resolve) => {
    const look = async () => {
      const endpoint = (await endpointsOf(account)).find((one) => one.id === id);
      if (!endpoint) return resolve();
      if (endpoint.enabled || !endpoint.disabled_reason) return;
      await account.act('webhook.enable', { id });
      say(`After ${autoDisableAfter} failures in a row the service disabled the endpoint, as it would yours; it is enabled again.\n`);
    };
    const failed = (error: unknown) => {
      // The account went with its service; one that does not answer may be starting anew.
      if (error instanceof Refusal && error.body.error['code'] === 'not_found') resolve();
    };
    timer = setInterval(() => void look().catch(failed), lookEveryMs);
  });
  return { gone, end: () => clearInterval(timer) };
};

/** `ops listen`: resolves once it was stopped and has tidied up; rejects with what to tell the person. */
export const listen = async (args: readonly string[], { env, stdout, stderr }: Terminal, watchForStop: () => Stop): Promise<void> => {
  const own = {
    forward: { type: 'string' },
    events: { type: 'string' },
    'print-json': { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  } as const;
  const { help, values, positionals, localChoice } = readOptions('listen', args, own);
  if (help) return stdout(listenHelp);
  if (positionals[0] !== undefined) throw invalidValue('listen', `listen takes options only, not "${positionals[0]}".`);
  const {
    forward,
    events,
    'print-json': printJson,
    fresh = false,
  } = values as { forward?: string; events?: string; 'print-json'?: boolean; fresh?: boolean };
  const forwardTo = forward === undefined ? undefined : forwardUrl(forward);
  const types = events === undefined ? eventTypes : events.split(',').map((type) => type.trim());

  const account = await openAccount(localChoice(), env);
  const removed = await removeLeftovers(account);
  if (removed > 0) stderr(`Removed what a run that was killed had left behind (${removed}).\n`);
  const hear = (heard: Heard) => {
    if (!printJson) return stdout(lineOf(heard));
    stderr(lineOf(heard));
    stdout(`${visibleLine(heard.body.toString('utf8'))}\n`);
  };
  const kept = keptSecret(account, { fresh, env });
  if (kept.unkept !== undefined) stderr(`The signing secret is for this run only: ${kept.unkept}.\n`);
  const receiver = await startReceiver({ forwardTo, signWith: kept.secret, hear });
  const stop = watchForStop(); // before there is anything to tidy up
  try {
    const { id, secret } = await register(account, receiver.url, types);
    receiver.secret = secret;
    stderr(
      `Listening to ${visibleLine(account.name)} (${account.region}, ${account.id})${forwardTo ? `, forwarding to ${forwardTo.href}` : ''}.\n`,
    );
    stderr(`Ready! Your webhook signing secret is ${kept.secret} (^C to quit)\n`);
    const { gone, end } = watch(account, id, stderr);
    const ending = await Promise.race([stop.asked.then(() => 'stopped' as const), gone.then(() => 'gone' as const)]);
    end();
    if (ending === 'gone')
      throw new ApiError('not_found', 'The endpoint is gone: somebody deleted it, or the service began anew. Start again.');
    await account.act('webhook.delete', { id }).catch(() => stderr('The endpoint could not be removed; the next listen removes it.\n'));
  } finally {
    stop.release();
    await receiver.stop();
  }
};
