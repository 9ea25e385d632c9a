#!/usr/bin/env node
/// <reference types="node" />
import { realpathSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { eventTypes } from './generated/methods.gen.ts';
import type { EventType } from './generated/types.gen.ts';
import { type ReceivedDelivery, startReceiver } from './listen-receiver.ts';
import { ApiError, type Client, createClient } from './node.ts';

const help = `Shows the webhook events of an account as they happen, verifies their signatures
and forwards them. It needs an API key with the scope webhooks:manage, and a
tunnel whose public address leads to this machine.

Usage:
  BAKERY_API_KEY=svc_sk_… bakery-listen --url https://us.api.example.com \\
    --public-url https://my-tunnel.example

Options:
  --url URL          address of the region's API
  --public-url URL   public address of the tunnel
  --listen N         port on this machine to which the tunnel leads (default 4480)
  --forward URL      your receiver; its status is the delivery's status
  --skip-verify      accepts any certificate of your receiver; on this machine
                     every certificate is accepted anyway
  --events A,B       only these event types (default: all)
  --print-json       prints each body as one line on stdout, the rest on stderr

It registers the public address as a webhook endpoint and removes the endpoint
when you press ^C. If it was killed, its next start with the same public address
removes the endpoint that was left. It touches no other endpoint.
`;

/** Identifies the endpoint of a killed run, with its address. */
const description = 'Temporary: bakery-listen';
const maxEndpoints = 10;
const forwardTimeoutMs = 25_000;

/** The streams and signals of a run; tests pass their own. */
export interface ListenContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Resolves when the run is to end. */
  readonly stopped: Promise<unknown>;
}

/** A mistake in the command line, or a state that the caller has to change. */
class UsageError extends Error {}

const urlOf = (name: string, text: string | undefined): URL => {
  if (text === undefined) throw new UsageError(`--${name} is missing; --help shows an example.`);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--${name} must be an address such as https://host.`);
  return new URL(text);
};

const readOptions = (args: readonly string[], env: ListenContext['env']) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      url: { type: 'string' },
      'public-url': { type: 'string' },
      listen: { type: 'string', default: '4480' },
      forward: { type: 'string' },
      events: { type: 'string' },
      'print-json': { type: 'boolean', default: false },
      'skip-verify': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const url = urlOf('url', values.url);
  const publicUrl = urlOf('public-url', values['public-url']);
  const port = Number(values.listen);
  if (!/^\d+$/.test(values.listen ?? '') || port > 65_535) throw new UsageError('--listen must be a number from 0 to 65535.');
  const forwardUrl = values.forward === undefined ? undefined : urlOf('forward', values.forward);
  const apiKey = env['BAKERY_API_KEY'];
  if (!apiKey) throw new UsageError('Set BAKERY_API_KEY to an API key with the scope webhooks:manage.');
  const baseUrl = /\/api\/v2\/?$/.test(url.pathname) ? url.href : new URL('/api/v2', url).href;
  return {
    client: createClient({ apiKey, baseUrl }),
    publicUrl: publicUrl.href,
    port,
    forwardTo: forwardUrl && { url: forwardUrl, timeoutMs: forwardTimeoutMs, skipVerify: values['skip-verify'] === true },
    events: values.events?.split(',').map((type) => type.trim()),
    printJson: values['print-json'] === true,
  };
};

type Options = NonNullable<ReturnType<typeof readOptions>>;

/**
 * Removes the endpoint of a killed run, then registers this one. Throws at the limit of ten
 * endpoints.
 */
const register = async ({ client, publicUrl, events }: Options, say: (text: string) => void) => {
  const endpoints: Awaited<ReturnType<Client['webhooks']['list']>>['data'] = [];
  for await (const endpoint of client.webhooks.listAll()) if (endpoints.push(endpoint) >= maxEndpoints) break;
  const leftovers = endpoints.filter((one) => one.description === description && one.url === publicUrl);
  for (const { id } of leftovers) await client.webhooks.delete(id);
  if (leftovers.length > 0) say('Removed the endpoint of an earlier run that was killed.\n');
  if (endpoints.length - leftovers.length >= maxEndpoints)
    throw new UsageError(`The account has ${maxEndpoints} webhook endpoints, which is the limit. Delete one, then start again.`);
  const body = { url: publicUrl, description, events: (events ?? eventTypes) as EventType[] };
  return client.webhooks.create(body);
};

/** Headers that the receiver gets. Those of the tunnel stay here. */
const passedOn = ({ rawHeaders }: IncomingMessage, { length }: Buffer): string[] => [
  ...rawHeaders.filter((_, i) => /^(content-type$|x-webhook-)/i.test(rawHeaders[i - (i % 2)] ?? '')),
  ...['Content-Length', String(length)],
];

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * Control and invisible characters as escapes of JSON, so that a request cannot write to the terminal. A
 * character beyond the BMP has two.
 */
const visible = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);

/** Prints a delivery: a line about it, and its body if it is asked for. */
const print = (
  { body, type = 'no event', id, fault, response }: ReceivedDelivery,
  printJson: boolean,
  { stdout, stderr }: ListenContext,
): void => {
  const verdict = fault === undefined ? '✓' : `✗ not verified: ${fault}`;
  const outcome = `→ ${response.status}${response.problem ? `, ${response.problem}` : ''}`;
  const line = `${[new Date().toTimeString().slice(0, 8), type.padEnd(20), id, verdict, outcome].map(visible).join('  ')}\n`;
  if (printJson) stdout(`${visible(body.toString('utf8'))}\n`);
  (printJson ? stderr : stdout)(line);
};

const run = async (options: Options, context: ListenContext): Promise<void> => {
  const { stderr, stopped } = context;
  const { port, forwardTo, publicUrl, client } = options;
  let resolveSecret: (secret: string) => void = () => {};
  const secret = new Promise<string>((resolve) => {
    resolveSecret = resolve;
  });
  const receiver = await startReceiver({
    port,
    secret,
    forwardTo,
    // The address is public, so anyone may send to it.
    passedOn: (request, body, fault) => (fault === undefined ? passedOn(request, body) : undefined),
    onDelivery: (delivery) => print(delivery, options.printJson, context),
    tooLong: () => stderr('Rejected a request that is longer than every event.\n'),
  }).catch((error: Error) => {
    throw new UsageError(`Port ${port} cannot be used (${error.message}). Choose another with --listen.`);
  });
  try {
    const endpoint = await register(options, stderr);
    resolveSecret(endpoint.secret);
    stderr(`Ready! ${publicUrl} receives events. Your signing secret is ${endpoint.secret} (^C ends it)\n`);
    await stopped;
    await client.webhooks.delete(endpoint.id);
  } finally {
    await receiver.stop();
  }
};

const sentenceOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  const scope = error.requiredScope === undefined ? '' : ` The key needs the scope ${error.requiredScope}.`;
  return `${error.message}${scope}`;
};

/**
 * Runs the command until it is stopped. Rejects with an error. Its message is the sentence to
 * print.
 */
export const listen = async (args: readonly string[], context: ListenContext): Promise<void> => {
  try {
    const options = readOptions(args, context.env);
    if (options) await run(options, context);
    else context.stdout(help);
  } catch (error) {
    throw new Error(visible(sentenceOf(error)), { cause: error });
  }
};

const isProgram = process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isProgram) {
  const stderr = (text: string) => void process.stderr.write(text);
  // npx may pass on a ^C that the terminal has already sent, so later signals change nothing.
  const stopped = new Promise((resolve) => process.on('SIGINT', resolve).on('SIGTERM', resolve).on('SIGHUP', resolve));
  await listen(process.argv.slice(2), { env: process.env, stdout: (text) => process.stdout.write(text), stderr, stopped }).catch(
    ({ message }: Error) => {
      stderr(`${message}\n`);
      process.exitCode = 1;
    },
  );
}
