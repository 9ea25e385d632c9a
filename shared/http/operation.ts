import type { Clock } from '../core/clock.ts';
import type { NewId } from '../core/ids.ts';
import type { Log } from '../core/log.ts';
import type { Random } from '../core/random.ts';
import type { Region } from '../core/regions.ts';
import type { ApiKey } from '../domain/account/api-key.ts';
import type { Account } from '../domain/account/record.ts';
import type { Store } from '../table/store.ts';
import type { Write } from '../table/write.ts';

/** What every API function is given. */
export interface ApiServices {
  /** The deployed region. */
  readonly region: Region;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
}

/** A request that passed every check, parsed by its route's schemas. */
export interface Call<Query = unknown, Body = unknown> {
  readonly operation: string;
  /** The owner of everything the operation touches. */
  readonly account: string;
  /** Of what was presented; nothing is answered before the stored key has been found to be the same. */
  readonly key: Pick<ApiKey, 'id' | 'type'>;
  /** `{id}` of the path, decoded; '' where the path has none. */
  readonly id: string;
  readonly query: Query;
  readonly body: Body;
  /** Scheme and host that the request came to. */
  readonly origin: string;
  readonly nowMs: number;
}

export interface Outcome {
  readonly body: unknown;
  /** Committed all or nothing, together with the idempotency record where there is one. */
  readonly writes?: readonly Write[];
  /** Where the writes were refused, and so never will be made. */
  refused?(): Promise<void>;
}

/**
 * One endpoint. `read` only reads: it runs beside the key, the rate bucket and the account's gates, and its result is dropped where
 * they refuse; what it asks for in its first tick shares their call. `decide` runs once all have passed; it refuses by throwing and knows no status codes, headers or events.
 */
export interface Operation<Query = unknown, Body = unknown, Data = unknown> {
  read?(call: Call<Query, Body>): Promise<Data>;
  decide(call: Call<Query, Body>, data: Data, account: Account): Outcome | Promise<Outcome>;
}

/** A group's operations by the operation id of its routes: one for each. */
export type Operations<Id extends string = string> = Readonly<Record<Id, Operation>>;
