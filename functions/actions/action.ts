import type { GenericSchema, InferOutput } from 'valibot';
import type { Clock } from '../../shared/core/clock.ts';
import type { NewId } from '../../shared/core/ids.ts';
import type { Log } from '../../shared/core/log.ts';
import type { Region } from '../../shared/core/regions.ts';
import type { Account } from '../../shared/domain/account.ts';
import type { ParkingLot } from '../../shared/providers/parking.ts';
import type { Queue } from '../../shared/providers/queue.ts';
import type { Store } from '../../shared/table/store.ts';
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
  readonly newId: NewId;
  readonly log: Log;
}

interface Described<Schema extends GenericSchema> {
  /** One line for `ops --help`. */
  readonly summary: string;
  readonly input: Schema;
}

/** An action on an existing account: named by the call, or (`self`) by the input's `id` as well. */
export interface AccountAction<Schema extends GenericSchema = GenericSchema> extends Described<Schema> {
  readonly account: 'required' | 'self';
  /** Runs on an account that was erased, too; to every other action it is gone. */
  readonly erased?: true;
  /** Decides and writes; refuses by throwing. */
  run(services: ActionServices, input: InferOutput<Schema>, account: Account): Promise<unknown>;
}

/** An action that belongs to no account. */
export interface FreeAction<Schema extends GenericSchema = GenericSchema> extends Described<Schema> {
  readonly account: 'none';
  run(services: ActionServices, input: InferOutput<Schema>): Promise<unknown>;
}

export type Action = AccountAction | FreeAction;
