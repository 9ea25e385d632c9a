import type { GenericSchema, InferOutput } from 'valibot';
import type { Clock } from '../../shared/core/clock.ts';
import type { NewId } from '../../shared/core/ids.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Random } from '../../shared/core/random.ts';
import type { Region } from '../../shared/core/regions.ts';
import type { Account } from '../../shared/domain/account/record.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { Store } from '../../shared/table/store.ts';
import type { Write } from '../../shared/table/write.ts';
import type { Sender } from '../../shared/webhooks/attempt.ts';
import type { DeliveryPolicy } from '../../shared/webhooks/policy.ts';
import type { OperatedQueues } from './queues.ts';

/** What every action is given. */
export interface ActionServices {
  /** The deployed region. */
  readonly region: Region;
  readonly store: Store;
  readonly queue: Queue;
  /** All queues of the region, as operators see them. */
  readonly queues: OperatedQueues;
  /** What tests of endpoints are sent with. */
  readonly sender: Sender;
  readonly policy: DeliveryPolicy;
  readonly parking: Pick<ParkingLot, 'fetch'>;
  /** Hands a parked record of the change stream, as JSON, to fan-out once more. */
  readonly replay: (json: string) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
}

interface Described<Schema extends GenericSchema> {
  /** One line for `ops --help`. */
  readonly summary: string;
  readonly input: Schema;
}

/** What an action answers, and the writes that make it so: they are committed together with the answer of the call's token. */
export interface Decision {
  readonly result: unknown;
  /** None changes nothing. */
  readonly writes: readonly Write[];
  /** Whom a stored answer belongs to, and is erased with; the call's account where absent. */
  readonly owner?: string;
  /** What follows the commit and is made good by others where it is lost. */
  readonly afterwards?: () => Promise<void>;
}

/** How an action works; each refuses by throwing. */
export type Work<Call extends readonly unknown[]> =
  /** Changes nothing. */
  | { read(...call: Call): Promise<unknown> }
  /** Reads and decides, and is asked again where another write came between; it writes nothing itself that anybody sees. */
  | { decide(...call: Call): Promise<Decision> }
  /** Has effects that no single commit holds: one call with a token is at work at a time. */
  | { run(...call: Call): Promise<unknown> }
  /** The same, where a repetition only goes on with what is left to do: it keeps no answer. */
  | { resume(...call: Call): Promise<unknown> };

/** An action on an existing account: named by the call, or (`self`) by the input's `id` as well. */
export type AccountAction<Schema extends GenericSchema = GenericSchema> = Described<Schema> & {
  readonly account: 'required' | 'self';
  /** Runs on an account that was erased, too; to every other action it is gone. */
  readonly erased?: true;
} & Work<[services: ActionServices, input: InferOutput<Schema>, account: Account]>;

/** An action that belongs to no account. */
export type FreeAction<Schema extends GenericSchema = GenericSchema> = Described<Schema> & {
  readonly account: 'none';
} & Work<[services: ActionServices, input: InferOutput<Schema>]>;

export type Action = AccountAction | FreeAction;
