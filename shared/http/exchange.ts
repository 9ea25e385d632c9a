import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Clock } from '../core/clock.ts';
import type { Region } from '../core/config.ts';
import type { NewId } from '../core/ids.ts';
import type { Invocation, Log } from '../core/log.ts';
import type { Random } from '../core/random.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey } from '../domain/account/record.ts';
import type { Operation, OperationCall } from '../operations/operation.ts';
import type { Accounts } from '../table/accounts.ts';
import type { ApiKeys } from '../table/api-keys.ts';
import type { Buckets } from '../table/buckets.ts';
import type { Idempotency } from '../table/idempotency.ts';
import type { Write } from '../table/write.ts';

/** Stores of every request: its account, its key, its rates, its stored response, and its writes. */
interface RequestStores {
  readonly accounts: Accounts;
  readonly apiKeys: ApiKeys;
  readonly buckets: Buckets;
  readonly idempotency: Idempotency;
  /** Commits all writes or none. */
  readonly commit: (writes: readonly Write[]) => Promise<void>;
}

/** Services of an API function. `Own` names the stores of its operations. */
export interface ApiServices<Own = unknown> {
  /** The deployed region. */
  readonly region: Region;
  readonly store: RequestStores & Own;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
}

/** A request as it arrived, before any check. */
export interface ReceivedRequest extends APIGatewayProxyEventV2, Invocation {
  readonly requestContext: APIGatewayProxyEventV2['requestContext'] & {
    /** The result of the authorizer of an API behind an edge. */
    readonly authorizer?: { readonly lambda?: { readonly edge?: unknown } };
  };
}

/**
 * A request that passed every check, parsed by the schemas of its route. `id` is the decoded `{id}`
 * of the path.
 */
export interface Call<Query = unknown, Body = unknown> extends OperationCall<Body> {
  readonly operation: string;
  /**
   * The key from the request. It is compared with the stored key before any response is returned.
   */
  readonly key: Pick<ApiKey, 'id' | 'type'>;
  readonly query: Query;
  /** Scheme and host that the caller used. */
  readonly origin: string;
}

type Parsed<Part extends 'query' | 'body', Of extends Route> = Of extends { readonly [Name in Part]: infer Schema extends GenericSchema }
  ? InferOutput<Schema>
  : unknown;

/**
 * The operations of a group by operation id: one per route. Each operation receives the values that
 * its route's schemas parsed.
 */
export type OperationsOf<Routes extends readonly Route[]> = {
  readonly [Of in Routes[number] as Of['operation']]: Operation<Call<Parsed<'query', Of>, Parsed<'body', Of>>>;
};
export type Operations = Readonly<Record<string, Operation<Call>>>;
