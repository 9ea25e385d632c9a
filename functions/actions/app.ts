import * as v from 'valibot';
import { ApiError, invalidValue, notFound } from '../../shared/core/errors.ts';
import { parse, record, requiredText } from '../../shared/core/fields.ts';
import { describeError } from '../../shared/core/log.ts';
import type { Account } from '../../shared/domain/account.ts';
import type { AccountAction, Action, ActionServices } from './action.ts';
import { actionTable } from './index.ts';

export type ActionAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly status: number; readonly body: { readonly error: Record<string, unknown> } };

const eventSchema = record({
  action: v.string('must be a string'),
  account: v.nullish(requiredText()),
  input: v.optional(v.unknown(), {}),
});

const findAction = (name: string): Action => {
  const action = Object.hasOwn(actionTable, name) ? actionTable[name] : undefined;
  if (!action) throw invalidValue('action', `action must be one of ${Object.keys(actionTable).join(', ')}.`);
  return action;
};

const idOf = (input: unknown): string | undefined =>
  typeof input === 'object' && input !== null && 'id' in input && typeof input.id === 'string' ? input.id : undefined;

const accountOf = async (
  { store }: ActionServices,
  action: AccountAction,
  named: string | null | undefined,
  id: string | undefined,
): Promise<Account> => {
  if (named && id && named !== id) throw invalidValue('id', 'id and account name different accounts.');
  const name = named ?? id;
  if (!name) throw invalidValue('account', 'account is required.');
  const account = await store.accounts.get(name);
  if (!account || (account.erased_at !== undefined && !action.erased)) throw notFound('Account');
  return account;
};

const perform = async (services: ActionServices, event: unknown, line: Record<string, unknown>): Promise<unknown> => {
  const call = parse(eventSchema, event, 'call');
  const action = findAction(call.action);
  line['action'] = call.action;
  const input = parse(action.input, call.input, 'input');
  if (action.account === 'none') {
    // Whoever names one means to be held to it.
    if (call.account) throw invalidValue('account', `${call.action} is not about one account.`);
    return action.run(services, input);
  }
  const account = await accountOf(services, action, call.account, action.account === 'self' ? idOf(input) : undefined);
  line['account'] = account.id;
  return action.run(services, input, account);
};

const refusalOf = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError('internal_error', 'Something went wrong on our side.', { cause: error });

/** One dashboard action per call (decisions §7): never throws, and writes one log line without any input in it. */
export const actions =
  (services: ActionServices) =>
  async (event: unknown): Promise<ActionAnswer> => {
    const { clock, log } = services;
    const startMs = clock.now();
    const line: Record<string, unknown> = {};
    const finish = (outcome: Record<string, unknown>): void => log({ op: 'action', ...line, ms: clock.now() - startMs, ...outcome });
    try {
      const result = await perform(services, event, line);
      finish({ ok: true });
      return { ok: true, result };
    } catch (error) {
      const refusal = refusalOf(error);
      const { internal } = refusal.details;
      finish({
        ok: false,
        code: refusal.code,
        ...(internal === undefined ? {} : { why: internal }),
        ...(refusal === error ? {} : { error: describeError(error) }),
      });
      return { ok: false, status: refusal.status, body: refusal.body };
    }
  };
