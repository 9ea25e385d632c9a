import { randomUUID } from 'node:crypto';
import { ApiError as ClientApiError } from '../clients/typescript/src/index.ts';
import type { Region } from '../shared/core/config.ts';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { missingRegion, readOptions, type ServiceChoice, type Target } from './arguments.ts';
import { broken, type Checking, nameWidth, proveApi, proveHealth, startChecking } from './check-links.ts';
import { type Ask, proveRegion } from './check-region.ts';
import { type CheckTimes, checkTimes, secondsOf, startDeadline, within } from './check-times.ts';
import { follow, invoke, listLocalRegions } from './invoke.ts';
import { failure, reasonOf } from './response.ts';
import type { WatchForStop } from './stop.ts';
import { command, emphasized, painter, type Terminal, type VisibleTerminal, wrapped } from './terminal.ts';

const accountName = 'Temporary: ops check';

const checkHelp = `Proves within two minutes that a stack works, and names the first broken link.

Usage:
  bakery-ops check [options]

Options:
  --stack NAME     deployed stack, with your AWS credentials; needs the rights
                   lambda:InvokeFunction on NAME-actions and
                   cloudformation:DescribeStacks. Without it: the local service,
                   started with --allow-loopback-webhooks
  --region R       us, au or eu (default: the end of the stack's name)
  --port N         port of the local service (default 4000)
  --output json    one JSON document instead of lines

check opens the account "${accountName}", writes an expense twice with
one Idempotency-Key, reads and lists it, and has its event delivered to a path
of the stack that returns 404, so that a retry is arranged. It redelivers the
event through a schedule, reads the sweep's index, parks a record and searches
the account's requests. It prints a line for each link. Also after a failure or
^C it erases the account. The exit code is 1 if a link is broken.
`;

/** The service to check. */
interface Service {
  readonly target: Target;
  readonly region: Region;
  /** Without `/api/v2`. */
  readonly origin: string;
}

const findService = async ({ target, region }: ServiceChoice, env: Terminal['env'], signal: AbortSignal): Promise<Service> => {
  if ('stack' in target) {
    if (region === undefined) throw missingRegion();
    const { stackOutput } = await import('./deployed.ts');
    return { target, region, origin: await stackOutput(target.stack, region, 'ApiUrl', env, signal) };
  }
  const localRegions = await listLocalRegions(target.port, signal);
  const localRegion = localRegions.find((one) => region === undefined || one.region === region);
  if (!localRegion)
    throw invalidValue('region', `Region ${region} does not run. These do: ${localRegions.map((one) => one.region).join(', ')}.`);
  return { target, region: localRegion.region, origin: localRegion.url.replace(/\/api\/v2$/, '') };
};

const createAsk =
  ({ target, region }: Service, env: Terminal['env']): Ask =>
  async (action, { signal, ...event }) =>
    (await invoke(target, region, { action, ...event }, env, signal)) as never;

/**
 * Manages the account of a check. It is created with a token, so that it can be found and erased
 * even if the response was lost.
 */
const temporaryAccount = (ask: Ask, say: (line: string) => void) => {
  const token = randomUUID();
  let id: string | undefined;
  const open = async (signal: AbortSignal): Promise<string> => {
    const input = { name: accountName, plan: 'business' };
    id = (await ask('account.create', { input, token, signal })).id;
    say(`The account ${id} is erased at the end.`);
    return id;
  };
  return {
    open,
    id: () => id,
    async erase(signal: AbortSignal): Promise<void> {
      const account = id ?? (await open(signal));
      const erase = (input: unknown) => ask('account.erase', { account, input, token: randomUUID(), signal });
      await follow('account.erase', erase, { confirm: account });
    },
  };
};

type TemporaryAccount = ReturnType<typeof temporaryAccount>;

const keyLivesMs = 600_000;

/** Creates the account and an API key. Returns the account's id and the key's value. */
const proveActions = (
  { link, call }: Checking,
  ask: Ask,
  account: TemporaryAccount,
): Promise<{ readonly id: string; readonly apiKey: string }> => {
  const prove = async () => {
    const id = await call('account.create', account.open);
    // If this command is killed, the key expires.
    const input = {
      type: 'secret',
      name: accountName,
      scopes: ['expenses:write', 'expenses:read', 'webhooks:manage'],
      expires_at: new Date(Date.now() + keyLivesMs).toISOString(),
    };
    const { key } = await call('key.create', (signal) => ask('key.create', { account: id, input, token: randomUUID(), signal }));
    return { id, apiKey: key };
  };
  return link('Actions', prove, ({ id }) => `opened ${id} "${accountName}" and its key`);
};

/**
 * Whether the local service rejected a receiver on this machine, because it was started without the
 * option for loopback addresses.
 */
const needsLoopback = ({ target }: Service, error: unknown): boolean => {
  const rejection = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined;
  return 'port' in target && rejection instanceof ClientApiError && rejection.field === 'url';
};

const proveService = async (checking: Checking, service: Service, ask: Ask, account: TemporaryAccount): Promise<void> => {
  const { id, apiKey } = await proveActions(checking, ask, account);
  try {
    const api = await proveApi(checking, { origin: service.origin, apiKey, idempotencyKey: randomUUID() });
    await proveRegion(checking, ask, id, api);
  } catch (error) {
    if (!needsLoopback(service, error)) throw error;
    throw new ApiError(
      'invalid_value',
      'The local service delivers to public https:// addresses only; stop it and start it with: npm start -- --allow-loopback-webhooks',
    );
  }
};

const commandFor = ({ target, region }: Service, account: string): string =>
  `${command} account.erase --region ${region} ${'stack' in target ? `--stack ${target.stack}` : `--port ${target.port}`} --account ${account}`;

/** Erases the account within the time. Returns a message if that failed. */
const eraseWithin = async (ms: number, service: Service, account: TemporaryAccount): Promise<string | undefined> => {
  try {
    await within({ ms, sentence: `account.erase has no answer after ${secondsOf(ms)}` }, account.erase);
    return undefined;
  } catch (error) {
    const id = account.id();
    // Without an id there is no account to erase. The broken step says why it was not created.
    return id && `the account ${id} could not be erased: ${reasonOf(error).replace(/\.$/, '')}. Erase it: ${commandFor(service, id)}`;
  }
};

const withLeftover = (error: unknown, leftover: string): ApiError => failure(`${reasonOf(error)} Also, ${leftover}.`, error);

/** Runs `ops check`. Resolves if every step works; rejects with the first that does not. */
export const check = async (
  args: readonly string[],
  terminal: VisibleTerminal,
  watchForStop: WatchForStop,
  times: CheckTimes = checkTimes,
): Promise<void> => {
  const { env, stdout, stderr, painted } = terminal;
  const { help, isJson, positionals, serviceChoice } = readOptions('check', args, {});
  if (help) return painted.stdout(emphasized(checkHelp, terminal));
  if (positionals[0] !== undefined) throw invalidValue('check', `check takes options only, not "${positionals[0]}".`);
  const choice = serviceChoice();
  const startMs = performance.now();
  const linksMs = times.totalMs - times.eraseMs;
  const deadline = startDeadline(linksMs, `the ${secondsOf(linksMs)} for all links are over`);
  const stop = watchForStop({ byInput: false });
  void stop.requested.then(() => deadline.abort('the check was stopped'));
  const paint = painter(terminal);
  const links: { readonly name: string; readonly text: string }[] = [];
  const pass = (name: string, text: string) => {
    links.push({ name, text });
    const line = `${name.padEnd(nameWidth)}  ${paint('green', 'ok')}  ${paint(undefined, text)}\n`;
    if (!isJson) painted.stdout(wrapped(line, terminal));
  };
  const checking = startChecking(times, deadline.signal, pass);
  try {
    const find = () => checking.call('the look-up', (signal) => findService(choice, env, signal));
    const service = await checking.link('Address', find, ({ origin }) => origin);
    await proveHealth(checking, service.origin, service.region);
    const ask = createAsk(service, env);
    const account = temporaryAccount(ask, (line) => stderr(`${line}\n`));
    const [proved] = await Promise.allSettled([proveService(checking, service, ask, account)]);
    const leftover = await eraseWithin(times.totalMs - (performance.now() - startMs), service, account);
    if (proved.status === 'rejected') throw leftover === undefined ? proved.reason : withLeftover(proved.reason, leftover);
    if (leftover !== undefined) throw broken('Erasure', new Error(leftover));
    pass('Erasure', `closed and erased ${account.id()}`);
    if (isJson) stdout(`${JSON.stringify({ links }, null, 2)}\n`);
  } finally {
    deadline.end();
    stop.release();
  }
};
