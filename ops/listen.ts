import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setInterval } from 'node:timers/promises';
import { type ReceivedDelivery, startReceiver } from '../clients/typescript/src/listen-receiver.ts';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { eventTypes } from '../shared/domain/event/types.ts';
import { autoDisableAfter } from '../shared/domain/webhook/record.ts';
import { signatureHeader } from '../shared/webhooks/signing.ts';
import { type OpsAccount, openAccount } from './account.ts';
import { accountOptions, readOptions } from './arguments.ts';
import { loadOrCreateSecret } from './listen-secret.ts';
import { reasonOf, ServiceError } from './response.ts';
import type { Stop } from './stop.ts';
import { emphasized, painter, type Terminal, type VisibleTerminal, visibleLine } from './terminal.ts';

const listenHelp = `Shows the events of an account as they happen, verifies their signatures and
forwards them. Start the local service with --allow-loopback-webhooks first.

Usage:
  bakery-ops listen [options]

Options:
  --forward URL    your receiver: it gets the body and headers unchanged, signed
                   with the printed secret; its status is the delivery's status
  --skip-verify    accepts any certificate of your receiver; on this machine
                   every certificate is accepted anyway
  --fresh          makes a new signing secret, which later runs keep
  --events A,B     only these event types (default: all)
  --print-json     prints each body as one line on stdout, the rest on stderr
${accountOptions}

With an API key (BAKERY_API_KEY, scope webhooks:manage), on any region:
  bakery-ops listen --url https://us.api.example.com \\
    --public-url https://my-tunnel.example

listen registers a temporary endpoint and removes it when you press ^C. The
signing secret stays the same from run to run.
`;

const liveHeader = 'x-ops-listen';
/** A port without a listener refuses at once; a listener on a loaded machine may be slow. */
const probeMs = 10_000;

/** Whether a listener runs at the URL. A listener that was killed leaves its endpoint behind. */
const isLive = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(probeMs), redirect: 'manual' });
    await response.body?.cancel();
    return response.headers.has(liveHeader);
  } catch {
    return false;
  }
};

/** Headers that belong to a connection. Host is the receiver's. */
const ofTheConnection = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding']);

/**
 * Returns the headers of a delivery, signed with another secret; the time in the signature stays. A
 * delivery with an invalid signature keeps it, so that it does not appear signed.
 */
const signedAnew = ({ rawHeaders }: IncomingMessage, body: Buffer, fault: string | undefined, secret: string): readonly string[] =>
  rawHeaders.flatMap((name, i) => {
    const [lower, value = ''] = [name.toLowerCase(), rawHeaders[i + 1]];
    if (i % 2 === 1 || ofTheConnection.has(lower)) return [];
    const isSignature = fault === undefined && lower === 'x-webhook-signature';
    return [name, isSignature ? signatureHeader(secret, Number(/t=(\d+)/.exec(value)?.[1]), body) : value];
  });

/** The service waits 30 s for this command's response. */
const timeoutMs = 29_000;

const isPort = /^\d+(?=[/?#]|$)/;
/** A host with an optional port, and not the scheme of another kind of URL. */
const hasHost = /^(\[[^\]]+\]|[^:/?#]+)(:\d+)?([/?#]|$)/;

/** Returns the URL of `--forward`, with or without `http://`. Throws `invalid_value`. */
const forwardUrl = (text: string): URL => {
  const urlText = isPort.test(text) ? `http://localhost:${text}` : hasHost.test(text) ? `http://${text}` : text;
  const url = URL.canParse(urlText) ? new URL(urlText) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw invalidValue('forward', '--forward must be the http:// or https:// URL of your receiver: http://localhost:8080/webhooks.');
};

/** Description by which the endpoint of a killed run is found. */
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
    if (error instanceof ServiceError && error.body.error['field'] === 'url')
      throw new ApiError(
        'invalid_value',
        'The service delivers to public https:// addresses only. Stop it and start it with: npm start -- --allow-loopback-webhooks',
      );
    throw error;
  }
};

/** Returns the types that `--events` lists. Throws `invalid_value` for an unknown type. */
const typesOf = async (list: string): Promise<readonly string[]> => {
  const types = list.split(',').map((type) => type.trim());
  const unknown = types.findIndex((type) => !(eventTypes as readonly string[]).includes(type));
  if (unknown === -1) return types;
  const { suggestion } = await import('./help.ts');
  const hint = await suggestion(types[unknown] ?? '', eventTypes, 'trigger --help lists them.');
  throw invalidValue(`events.${unknown}`, `"${types[unknown]}" is not an event type. ${hint}`);
};

const typeWidth = Math.max(...eventTypes.map(({ length }) => length));

/** Returns the id of the record that the event is about; undefined without one. */
const recordIdOf = (body: Buffer): string | undefined => {
  try {
    const id: unknown = JSON.parse(body.toString('utf8'))?.data?.object?.id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
};

/** Columns of a line with the ids of both event and record. */
const wideLine = 112;

/** The ids of a line: of the event; on a terminal of its record, and of both if they fit. */
const idsOf = ({ id, body }: ReceivedDelivery, { columns }: Terminal): readonly string[] => {
  const record = columns === undefined ? undefined : recordIdOf(body);
  if (record === undefined) return [id];
  return columns !== undefined && columns >= wideLine ? [id, record] : [record];
};

/**
 * `15:04:05  order.created         evt_…  signature verified ✓  → 200 (3 ms)`; on a terminal shorter,
 * coloured and with the record's id, so that a good line fits 80 columns.
 */
const lineOf = (delivery: ReceivedDelivery, terminal: Terminal): string => {
  const paint = painter(terminal);
  const { type, fault, response } = delivery;
  const { status, problem, ms } = response;
  const isShort = terminal.columns !== undefined;
  const verdict =
    fault === undefined ? paint('green', isShort ? '✓' : 'signature verified ✓') : paint('red', `signature NOT verified: ${fault} ✗`);
  const time = new Date().toTimeString().slice(0, 8);
  const parts = [time, (type ?? 'no event').padEnd(typeWidth), ...idsOf(delivery, terminal)].map((part) => paint(undefined, part));
  if (ms === undefined) return `${[...parts, verdict].join('  ')}\n`;
  const isGood = status >= 200 && status < 300;
  const took = isShort ? `${ms} ms` : `(${ms} ms)`;
  return `${[...parts, verdict, paint(isGood ? 'green' : 'red', `→ ${status}${problem ? `, ${problem}` : ''} ${took}`)].join('  ')}\n`;
};

const lookEveryMs = 1000;

/** Enables the endpoint again if failures disabled it. Resolves when the endpoint is deleted. */
const watch = async (account: OpsAccount, id: string, say: (text: string) => void, signal: AbortSignal): Promise<void> => {
  for await (const _ of setInterval(lookEveryMs, undefined, { signal })) {
    try {
      const endpoint = (await endpointsOf(account)).find((one) => one.id === id);
      if (!endpoint) return;
      if (endpoint.enabled || !endpoint.disabled_reason) continue;
      await account.act('webhook.enable', { id });
      say(`The service disabled the endpoint after ${autoDisableAfter} failures in a row. It is enabled again.\n`);
    } catch (error) {
      // If the account is unknown, the service has lost its data. If the service does not respond,
      // it may be restarting.
      if (error instanceof ServiceError && error.body.error['code'] === 'not_found') return;
    }
  }
};

const listenByKey = async (args: readonly string[], { env, stdout, stderr }: Terminal, watchForStop: () => Stop): Promise<void> => {
  const byKey = await import('../clients/typescript/src/listen.ts');
  const stop = watchForStop();
  try {
    await byKey.listen(args, { env, stdout, stderr, stopped: stop.requested });
  } catch (error) {
    throw new ApiError('invalid_value', reasonOf(error));
  } finally {
    stop.release();
  }
};

/** Runs until it is stopped, then removes its endpoint. Rejects with the error to print. */
export const listen = async (args: readonly string[], terminal: VisibleTerminal, watchForStop: () => Stop): Promise<void> => {
  const { env, stdout, stderr, painted } = terminal;
  // With an API key, `listen` needs no rights in AWS. The TypeScript client implements this.
  if (args.some((arg) => /^--(public-)?url(=|$)/.test(arg))) return listenByKey(args, terminal, watchForStop);
  const { help, values, positionals, localChoice } = readOptions('listen', args, {
    forward: { type: 'string' },
    events: { type: 'string' },
    'print-json': { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'skip-verify': { type: 'boolean', default: false },
  });
  if (help) return painted.stdout(emphasized(listenHelp, terminal));
  if (positionals[0] !== undefined) throw invalidValue('listen', `listen takes no argument "${positionals[0]}".`);
  const { forward, events, 'print-json': printJson, fresh, 'skip-verify': skipVerify } = values;
  const forwardTo = forward === undefined ? undefined : { url: forwardUrl(forward), timeoutMs, skipVerify };
  const types = events === undefined ? eventTypes : await typesOf(events);

  const account = await openAccount(localChoice(), env);
  const removed = await removeLeftovers(account);
  if (removed > 0) stderr(`Removed ${removed} endpoint(s) of an earlier run that was killed.\n`);
  let count = 0;
  const onDelivery = (delivery: ReceivedDelivery) => {
    count += 1;
    if (!printJson) return painted.stdout(lineOf(delivery, terminal));
    painted.stderr(lineOf(delivery, terminal));
    stdout(`${visibleLine(delivery.body.toString('utf8'))}\n`);
  };
  const signingSecret = loadOrCreateSecret(account, { fresh, env });
  if (signingSecret.storageFailure !== undefined) stderr(`The signing secret holds for this run only: ${signingSecret.storageFailure}.\n`);
  const { promise: endpointSecret, resolve: resolveSecret } = Promise.withResolvers<string>();
  const path = `/${randomBytes(16).toString('hex')}`; // only the service can send to it
  const receiver = await startReceiver({
    port: 0,
    path,
    aliveHeaders: { [liveHeader]: 'live' },
    secret: endpointSecret,
    forwardTo,
    passedOn: (request, body, fault) => signedAnew(request, body, fault, signingSecret.secret),
    onDelivery,
  });
  const stop = watchForStop(); // before the endpoint exists that must be removed
  try {
    const { id, secret } = await register(account, `http://127.0.0.1:${receiver.port}${path}`, types);
    resolveSecret(secret);
    stderr(
      `Listening to ${visibleLine(account.name)} (${account.region}, ${account.id})${forwardTo ? `, forwarding to ${forwardTo.url.href}` : ''}.\n`,
    );
    stderr(`Ready! Your webhook signing secret is ${signingSecret.secret} (^C to quit)\n`);
    if (terminal.columns !== undefined) stderr('✓ means that the signature of the delivery was verified.\n');
    const end = new AbortController();
    const gone = watch(account, id, stderr, end.signal);
    const ending = await Promise.race([stop.requested.then(() => 'stopped' as const), gone.then(() => 'gone' as const)]);
    end.abort();
    if (ending === 'gone')
      throw new ApiError('not_found', 'The endpoint is gone: it was deleted, or the service lost its data. Start listen again.');
    const isRemoved = await account.act('webhook.delete', { id }).then(
      () => true,
      () => false,
    );
    const outcome = isRemoved ? 'Endpoint removed.' : 'The endpoint could not be removed. The next listen removes it.';
    // A terminal has just shown ^C.
    stderr(`${terminal.columns === undefined ? '' : '\n'}${outcome} ${count} ${count === 1 ? 'event' : 'events'}.\n`);
  } finally {
    stop.release();
    await receiver.stop();
  }
};
