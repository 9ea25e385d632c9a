import type { GenericSchema, InferOutput } from 'valibot';
import * as v from 'valibot';
import type { Clock } from '../../shared/core/clock.ts';
import { recordId, requiredText } from '../../shared/core/fields.ts';
import { awaitAll } from '../../shared/core/promises.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { ApiServices } from '../../shared/http/exchange.ts';
import type { Decision, Operation, RetryLimits } from '../../shared/operations/operation.ts';
import type { OperatedQueue } from '../../shared/providers/operated-queue.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { StripeApi } from '../../shared/providers/payment-gateways/stripe-client.ts';
import type { RequestLog } from '../../shared/providers/request-log.ts';
import type { Services } from '../../shared/services.ts';

/**
 * Milliseconds after which a long action stops and reports that it is incomplete. The next call
 * continues. Lambda ends the function after 60 s.
 */
export const budgetMs = 40_000;

/** Returns a function that says whether a long action that starts now may go on. */
export const startBudget = (clock: Clock): (() => boolean) => {
  const endMs = clock.now() + budgetMs;
  return () => clock.now() < endMs;
};

const maxParallel = 20;

/**
 * Runs `work` for every item, at most 20 at a time. Returns the results in the order of the items. If
 * work fails, rejects once all that runs has ended.
 */
export const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> => {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += maxParallel)
    results.push(...(await awaitAll(items.slice(start, start + maxParallel).map(work))));
  return results;
};

/** Every queue of a region. */
export const queueNames = [
  'delivery',
  'delivery-dead-letters',
  'search',
  'search-dead-letters',
  'sweep-failures',
  'parking-notices',
] as const;
export type QueueName = (typeof queueNames)[number];
export type OperatedQueues = Readonly<Record<QueueName, OperatedQueue>>;

/** Queues that no function reads. Only operators read them. */
export const operatorQueueNames = ['delivery-dead-letters', 'search-dead-letters', 'sweep-failures', 'parking-notices'] as const;

/** Services of every action. `sender` sends test events to endpoints. */
export interface ActionServices extends Pick<Services, keyof ApiServices | 'queue' | 'sender' | 'policy' | 'secrets'> {
  /** Address of Stripe's API. If absent, the public address. */
  readonly stripeApi?: StripeApi;
  /** All queues of the region, with the methods that operators use. */
  readonly queues: OperatedQueues;
  readonly parking: Pick<ParkingLot, 'fetch'>;
  /** The log of API requests. */
  readonly requestLog: RequestLog;
  /** Passes a parked record of the change stream, as JSON, to fan-out. */
  readonly replay: (json: string) => Promise<void>;
}

/**
 * Retries of dashboard actions. The dashboard can wait longer than an API caller, so there are many
 * rounds with random pauses. Parallel calls then succeed one after another.
 */
export const retries: RetryLimits = { rounds: 40, maxPauseMs: 200 };

interface Described<Schema extends GenericSchema> {
  /** Description of one line for `ops --help`. */
  readonly summary: string;
  readonly input: Schema;
}

/** The decision of an action. */
interface ActionDecision<Output> extends Decision<Output> {
  /** Account that owns the stored response; the call's account if absent. */
  readonly owner?: string;
  /** Runs after the commit. If the process ends before this work, another function does it later. */
  readonly afterwards?: () => Promise<void>;
}

/** The form of an action's work. Each form throws to reject the call. */
export type Work<Call extends readonly unknown[], Output = unknown> =
  /** Only reads; has no effects. */
  | { read(...call: Call): Promise<Output> }
  /** Reads and decides, and runs again if another write interfered. It writes nothing itself. */
  | { decide(...call: Call): Promise<ActionDecision<Output>> }
  /**
   * Writes what nobody can read before its commit, and decides. Of all calls with the same token, only
   * one runs at a time.
   */
  | { decideAlone(...call: Call): Promise<Decision<Output>> }
  /**
   * Has effects outside a single commit. Of all calls with the same token, only one runs at a time.
   */
  | { run(...call: Call): Promise<Output> }
  /** Like `run`, but a repeated call continues the work, so no response is stored. */
  | { resume(...call: Call): Promise<Output> }
  /** Returns the form of this call's work: `decide` or `run`. A repeated call has the same token. */
  | { choose(token: string | undefined, ...call: Call): Promise<Work<Call, Output>> };

type WorkOnAccount<Schema extends GenericSchema, Output> = Described<Schema> &
  Work<[services: ActionServices, input: InferOutput<Schema>, account: Account], Output>;

/**
 * An action on an existing account. The call names the account. If `self` is true, the input's `id`
 * may name it instead.
 */
export type AccountAction<Schema extends GenericSchema = GenericSchema, Output = unknown> = WorkOnAccount<Schema, Output> & {
  readonly account: 'required' | 'self';
  /** Also runs on an erased account. All other actions treat an erased account as not found. */
  readonly erased?: true;
};

type WorkOnRegion<Schema extends GenericSchema, Output> = Described<Schema> &
  Work<[services: ActionServices, input: InferOutput<Schema>], Output>;

/** An action that belongs to no account. */
export type RegionAction<Schema extends GenericSchema = GenericSchema, Output = unknown> = WorkOnRegion<Schema, Output> & {
  readonly account: 'none';
};

export type Action = AccountAction | RegionAction;

/** Makes an action on the records of an account. */
export const onAccount = <Schema extends GenericSchema, Output>(action: WorkOnAccount<Schema, Output>): AccountAction<Schema, Output> => ({
  ...action,
  account: 'required',
});

/** Makes an action on the account itself, which the input's `id` may name. */
export const onItself = <Schema extends GenericSchema, Output>(
  action: WorkOnAccount<Schema, Output> & { readonly erased?: true },
): AccountAction<Schema, Output> => ({ ...action, account: 'self' });

/** Makes an action on the region. */
export const onRegion = <Schema extends GenericSchema, Output>(action: WorkOnRegion<Schema, Output>): RegionAction<Schema, Output> => ({
  ...action,
  account: 'none',
});

/** Input field that names a record. */
export const idField = { id: recordId() };
/** Input field of an action on the account itself; without it, the call names the account. */
export const ownIdField = { id: v.exactOptional(recordId()) };

export const integer = (min: number, max: number) =>
  v.pipe(
    v.number('must be a number'),
    v.integer('must be a whole number'),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );

/** Returns an input field: a whole number from 1 to `max`, by default `standard`. */
export const limitField = (standard: number, max: number) => v.optional(integer(1, max), standard);

/** Returns the input fields that select a page. */
export const pageFields = (standard: number, max: number) => ({
  limit: limitField(standard, max),
  cursor: v.exactOptional(requiredText(2_048)),
});

/** Runs an operation of the REST API for an action: reads, then decides. */
export const decideByOperation = async <Call, Data, Result>(
  operation: Operation<Call, Data, Result>,
  call: Call,
  account: Account,
): Promise<Decision<Result>> => operation.decide(call, (await operation.read?.(call)) as Data, account);
