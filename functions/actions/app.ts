import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { parse, record, recordId } from '../../shared/core/fields.ts';
import { sentIdPattern } from '../../shared/core/ids.ts';
import { untilTimeout } from '../../shared/core/invocation.ts';
import { type Invocation, logLine } from '../../shared/core/log.ts';
import { findUnlisted } from '../../shared/core/unlisted-fields.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Action, ActionServices } from './action.ts';
import { actionTable } from './index.ts';
import { carryOut, runOncePerToken, tokenedCall } from './perform.ts';

export type ActionResponse =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly status: number; readonly body: { readonly error: Record<string, unknown> } };

const tokenRule = 'must be 1 to 255 letters, digits, "_", "-", ":" or "."';

const eventSchema = record({
  action: v.string('must be a string'),
  account: v.nullish(recordId()),
  input: v.optional(v.unknown(), {}),
  /**
   * Identifies the call, so that a retry does not repeat its effects. The caller sends the same
   * token with every try.
   */
  token: v.optional(v.pipe(v.string('must be a string'), v.regex(sentIdPattern, tokenRule))),
});

type Call = v.InferOutput<typeof eventSchema>;

/**
 * Parses what a caller sent. Rejects a field that the schema does not list (decisions §3): it is
 * often a slip for a listed field, so it is named before any field that is missing.
 */
const parseListed = <Schema extends v.GenericSchema>(schema: Schema, sent: unknown, objectName: string): v.InferOutput<Schema> => {
  const unlisted = findUnlisted(schema, sent);
  if (unlisted === undefined) return parse(schema, sent, objectName);
  const { field, known } = unlisted;
  const remedy = known.length > 0 ? `Its object takes ${known.join(', ')}` : 'Leave it out';
  throw invalidValue(field, `${field} is not a field of the ${objectName}. ${remedy}.`);
};

const findAction = (name: string): Action => {
  const action = Object.hasOwn(actionTable, name) ? actionTable[name] : undefined;
  if (!action) throw invalidValue('action', `action must be one of ${Object.keys(actionTable).join(', ')}.`);
  return action;
};

const idOf = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;

/** Returns the account of the call. Undefined if the action concerns no account. */
const requireAccount = async ({ store }: ActionServices, action: Action, call: Call, input: unknown): Promise<Account | undefined> => {
  const { account: named } = call;
  if (action.account === 'none') {
    // If the action ignored the account, the caller would believe that it was used.
    if (named) throw invalidValue('account', `${call.action} concerns no single account. Leave out account.`);
    return undefined;
  }
  const id = action.account === 'self' ? idOf(input) : undefined;
  if (named && id && named !== id) throw invalidValue('id', 'id and account name different accounts. Send one of them.');
  const name = named ?? id;
  if (!name) throw invalidValue('account', 'account is required.');
  const account = await store.accounts.get(name);
  if (!account || (account.erased_at !== undefined && !action.erased)) throw notFound('Account');
  return account;
};

const perform = async (services: ActionServices, event: unknown, line: Record<string, unknown>): Promise<unknown> => {
  const call = parseListed(eventSchema, event, 'call');
  const action = findAction(call.action);
  line['action'] = call.action;
  const input = parseListed(action.input, call.input, 'input');
  const hasStoredResponse = !('read' in action || 'resume' in action);
  const tokened = call.token !== undefined && hasStoredResponse ? tokenedCall(call.token, call) : undefined;
  return runOncePerToken(services.store, tokened, async () => {
    const account = await requireAccount(services, action, call, input);
    if (account) line['account'] = account.id;
    return carryOut(action, [services, input, account], tokened);
  });
};

const apiErrorOf = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal_error', 'The service failed. Repeat the call.', { cause: error });

interface ActionEvent extends Invocation {
  readonly call: unknown;
}

/**
 * Returns the handler of dashboard actions, one per call (decisions §7). It never throws, and it
 * writes one log line without any input.
 */
export const actions = (services: ActionServices) => {
  const chain = middy<ActionEvent, ActionResponse>()
    .use(logLine<ActionEvent, ActionResponse>(services, ({ response }) => ({ op: 'action', ok: response?.ok })))
    .onError((request) => {
      const { status, body } = apiErrorOf(request.error);
      request.response = { ok: false, status, body };
    })
    .handler(untilTimeout(async ({ call, logged }: ActionEvent) => ({ ok: true, result: await perform(services, call, logged) })));
  return (call: unknown, context: Context): Promise<ActionResponse> => chain({ call, nowMs: services.clock.now(), logged: {} }, context);
};
