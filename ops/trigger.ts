import { type Client, ApiError as ClientApiError, createClient } from '../clients/typescript/src/index.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { type EventType, eventTypes } from '../shared/domain/event/types.ts';
import { type OpsAccount, openAccount, takenAccount } from './account.ts';
import { accountOptions, readInput, readOptions } from './arguments.ts';
import { cause, causes, type Made, samplesOn, type Writer } from './event-causes.ts';
import { suggestion, wrap } from './help.ts';
import { type Outcome, ServiceError } from './response.ts';
import { type Terminal, visibleLine } from './terminal.ts';
import { mergeableFields, mergingWriter } from './trigger-fields.ts';

const sampleOf = (type: EventType): string => JSON.stringify(causes[type].sample);

const triggerHelp = `Makes the writes that emit an event, and prints the records it made. To see the
event, run listen in another terminal.

Usage:
  bakery-ops trigger <event type> [options]

Options:
${accountOptions}
  --stack [NAME]   deployed stack; needs --region and --account
  --json JSON      fields to merge into what it writes; @FILE reads a file,
                   - reads standard input
  --output json    JSON on a terminal too

The records stay in the account: orders count for its limit. trigger makes
orders and customers through the REST API, with a key named "ops trigger" that
it revokes at once.

A change that leaves the record as it was emits no event. Nor does stock that
is above its reorder point, or was low before.

Event types, with fields that you can send:
${eventTypes.map((type) => `  ${type.padEnd(20)}  ${sampleOf(type)}`).join('\n')}

  bakery-ops trigger order.created --help   lists the fields of a type
`;

const helpOf = async (type: EventType): Promise<string> => `Makes the writes that emit ${type}, and merges fields into them.

Usage:
  bakery-ops trigger ${type} --json '${sampleOf(type)}'

Fields:
${wrap((await mergeableFields(type)).join(', '), '  ')}

bakery-ops trigger --help lists the options.
`;

const asServiceError = (error: unknown): unknown =>
  error instanceof ClientApiError
    ? new ServiceError({ type: error.type, code: error.code, message: error.message, field: error.field })
    : error;

const keyLivesMs = 300_000;

/**
 * Calls the REST API with the demo account's key, or with a temporary key if it is missing or
 * revoked.
 */
const apiOf =
  ({ act, apiUrl, demoKey }: OpsAccount, leftovers: string[]) =>
  async <Result>(call: (client: Client) => Promise<Result>): Promise<Result> => {
    const baseUrl = await apiUrl();
    const using = (apiKey: string) => call(createClient({ apiKey, baseUrl }) satisfies Client);
    try {
      if (demoKey !== undefined)
        try {
          return await using(demoKey);
        } catch (error) {
          if (!(error instanceof ClientApiError && error.code === 'invalid_api_key')) throw error;
        }
      // The key expires if this command is killed.
      const expires_at = new Date(Date.now() + keyLivesMs).toISOString();
      const { id, key } = await act('key.create', { type: 'secret', group: 'orderManagement', name: 'ops trigger', expires_at });
      leftovers.push(`the revoked key ${id}`);
      try {
        return await using(key);
      } finally {
        await act('key.revoke', { id });
      }
    } catch (error) {
      throw asServiceError(error);
    }
  };

const nameOfType = async (text: string | undefined): Promise<EventType> => {
  const type = eventTypes.find((one) => one === text);
  if (type) return type;
  const list = 'trigger --help lists them.';
  if (text === undefined) throw invalidValue('event type', `Name an event type; ${list}`);
  throw invalidValue('event type', `"${text}" is not an event type. ${await suggestion(text, eventTypes, list)}`);
};

/** Runs `ops trigger`. Its result has the records that it made. */
export const trigger = async (args: readonly string[], { env, stdin, stderr }: Terminal): Promise<Outcome> => {
  const { help, positionals, values, choice } = readOptions('trigger', args, { json: { type: 'string' } });
  const [requestedType, more] = positionals;
  if (help) return requestedType === undefined ? triggerHelp : helpOf(await nameOfType(requestedType));
  if (more !== undefined) throw invalidValue('event type', `Name one event type; "${more}" is a second one.`);
  const type = await nameOfType(requestedType);
  const fields = values.json === undefined ? {} : await readInput(values.json, stdin);
  const merging = await mergingWriter(type, fields);
  const chosen = choice();
  const account = await openAccount(chosen, env);
  const leftovers: string[] = [];
  const api = apiOf(account, leftovers);
  const writer: Writer = {
    act: async (action, input) => ({ id: ((await account.act(action, input)) as { id: string }).id }),
    create: (what, body) => api<{ readonly id: string }>((client) => client[`${what}s`].create(body as never)),
  };
  const made: Made = {};
  const nowMs = Date.now();
  const written = samplesOn(nowMs, `jonas.${nowMs.toString(36)}@example.com`);
  // A payment needs an order.
  if (type.startsWith('payment.') && !Object.hasOwn(fields as object, 'order_id')) await cause('order.created', writer, written, made);
  await cause(type, merging(writer), written, made);
  if (chosen.account === undefined) stderr(takenAccount(account));
  if ('stack' in account.target) stderr(`${visibleLine(account.name)} keeps: ${[...Object.values(made), ...leftovers].join(', ')}.\n`);
  return { result: { event: type, region: account.region, account: account.id, made } };
};
