import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import { recordId, requiredText } from '../../shared/core/fields.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { ApiServices } from '../../shared/http/exchange.ts';
import type { Asked, Decision, Operation, RetryLimits } from '../../shared/operations/operation.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { RequestLog } from '../../shared/providers/request-log.ts';
import type { Services } from '../../shared/services.ts';
import type { OperatedQueues } from './queues.ts';

/**
 * An action is cut off after 60 s; what takes longer stops here, says so, and goes on when it is
 * called again.
 */
export const budgetMs = 40_000;

const atOnce = 20;

/** Runs the work over all items, at most 20 at a time; the results in their order. */
export const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce)
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  return results;
};

/** Services of every action; `sender` sends the tests of endpoints. */
export interface ActionServices extends Pick<Services, keyof ApiServices | 'queue' | 'sender' | 'policy'> {
  /** All queues of the region, as operators see them. */
  readonly queues: OperatedQueues;
  readonly parking: Pick<ParkingLot, 'fetch'>;
  /** Requests of the API, as its log has them. */
  readonly requestLog: RequestLog;
  /** Passes a quarantined record of the change stream, as JSON, to fan-out again. */
  readonly replay: (json: string) => Promise<void>;
}

/** The dashboard can wait: many rounds, spread so that they come through one after the other. */
export const retries: RetryLimits = { rounds: 40, maxPauseMs: 200 };

interface Described<Schema extends GenericSchema> {
  /** One line for `ops --help`. */
  readonly summary: string;
  readonly input: Schema;
}

/** How an action works. Each form throws to reject. */
export type Work<Call extends readonly unknown[], Output = unknown> =
  /** Changes nothing. */
  | { read(...call: Call): Promise<Output> }
  /** Reads and decides, and runs again if another write interfered. It writes nothing itself. */
  | { decide(...call: Call): Promise<Decision<Output>> }
  /** Has effects that no single commit holds: one call with a token is at work at a time. */
  | { run(...call: Call): Promise<Output> }
  /** The same for work that a repeated call only continues: it stores no response. */
  | { resume(...call: Call): Promise<Output> };

type WorkOnAccount<Schema extends GenericSchema, Output> = Described<Schema> &
  Work<[services: ActionServices, input: InferOutput<Schema>, account: Account], Output>;

/** An action on an existing account: named by the call, or (`self`) by the input's `id` as well. */
export type AccountAction<Schema extends GenericSchema = GenericSchema, Output = unknown> = WorkOnAccount<Schema, Output> & {
  readonly account: 'required' | 'self';
  /** Runs on an account that was erased, too; to every other action it is gone. */
  readonly erased?: true;
};

type WorkWithoutAccount<Schema extends GenericSchema, Output> = Described<Schema> &
  Work<[services: ActionServices, input: InferOutput<Schema>], Output>;

/** An action that belongs to no account. */
export type FreeAction<Schema extends GenericSchema = GenericSchema, Output = unknown> = WorkWithoutAccount<Schema, Output> & {
  readonly account: 'none';
};

export type Action = AccountAction | FreeAction;

/** An action on what the account has. */
export const onAccount = <Schema extends GenericSchema, Output>(action: WorkOnAccount<Schema, Output>): AccountAction<Schema, Output> => ({
  ...action,
  account: 'required',
});

/** An action on the account itself, which the input's `id` may name. */
export const onItself = <Schema extends GenericSchema, Output>(
  action: WorkOnAccount<Schema, Output> & { readonly erased?: true },
): AccountAction<Schema, Output> => ({ ...action, account: 'self' });

/** An action on the region. */
export const onRegion = <Schema extends GenericSchema, Output>(action: WorkWithoutAccount<Schema, Output>): FreeAction<Schema, Output> => ({
  ...action,
  account: 'none',
});

/** The part of an input that names a record. */
export const byId = { id: recordId() };

export const wholeNumber = (least: number, most: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  );

/** A whole number from 1 to `most` of things to work at once. */
export const limitOf = (standard: number, most: number) => v.optional(wholeNumber(1, most), standard);

/** The part of an input that asks for a page. */
export const pageOf = (standard: number, most: number) => ({
  limit: limitOf(standard, most),
  cursor: v.exactOptional(requiredText(2_048)),
});

/** Has an operation of the REST API decide. */
export const throughOperation = async <Call, Data, Result>(
  operation: Operation<Call, Data, Result>,
  call: Call,
  account: Account,
): Promise<Decision<Result>> => operation.decide(call, (await operation.read?.(call)) as Data, account);

/**
 * Returns the call of an operation that an action runs, from the record's `id` and the fields of
 * the input.
 */
export const asked = <Body extends object>({ clock }: ActionServices, { id: account }: Account, body: Body, id = ''): Asked<Body> => ({
  account,
  id,
  body,
  nowMs: clock.now(),
});
