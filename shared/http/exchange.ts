import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { GenericSchema, InferOutput } from 'valibot';
import type { Clock } from '../core/clock.ts';
import { notFound } from '../core/errors.ts';
import type { NewId } from '../core/ids.ts';
import type { Log } from '../core/log.ts';
import type { Random } from '../core/random.ts';
import type { Region } from '../core/regions.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey } from '../domain/account/api-key.ts';
import type { Account } from '../domain/account/record.ts';
import type { Asked, Operation } from '../operations/operation.ts';
import type { IdempotentRequest, StoredResponse } from '../table/idempotency.ts';
import type { ApiStore } from '../table/store.ts';
import type { Response } from './responses.ts';

/** What every API function is given. */
export interface ApiServices {
  /** The deployed region. */
  readonly region: Region;
  readonly store: ApiStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  readonly log: Log;
}

/** A request that passed every check, parsed by its route's schemas; its `id` is `{id}` of the path, decoded. */
export interface Call<Query = unknown, Body = unknown> extends Asked<Body> {
  readonly operation: string;
  /** Of what was presented; nothing is answered before the stored key has been found to be the same. */
  readonly key: Pick<ApiKey, 'id' | 'type'>;
  readonly query: Query;
  /** Scheme and host that the request came to. */
  readonly origin: string;
}

type Parsed<Part extends 'query' | 'body', Of extends Route> = Of extends { readonly [Name in Part]: infer Schema extends GenericSchema }
  ? InferOutput<Schema>
  : unknown;

/** A group's operations by the operation id of its routes: one for each, of what the route's schemas make of a request. */
export type OperationsOf<Routes extends readonly Route[]> = {
  readonly [Of in Routes[number] as Of['operation']]: Operation<Call<Parsed<'query', Of>, Parsed<'body', Of>>>;
};
export type Operations = Readonly<Record<string, Operation<Call>>>;

/** A request every check has passed, or one that a stored response answers. */
export type Admitted =
  | {
      readonly kind: 'run';
      readonly call: Call;
      readonly account: Account;
      readonly data: unknown;
      /** Undefined without an Idempotency-Key. */
      readonly request: IdempotentRequest | undefined;
    }
  | { readonly kind: 'replay'; readonly response: StoredResponse };

/** What the steps of the chain hand to each other, filled in from the first to the last. */
interface Exchange {
  readonly route: Route | undefined;
  readonly startMs: number;
  /** Once it has been found usable. */
  key?: ApiKey;
  admitted?: Admitted;
  /** The answer is that of an earlier request with the same Idempotency-Key. */
  replayed?: true;
}

export type ApiEvent = APIGatewayProxyEventV2 & { exchange: Exchange };
export type Step = MiddlewareObj<ApiEvent, Response>;

export const routeOf = ({ exchange }: ApiEvent): Route => {
  if (!exchange.route) throw notFound('Route');
  return exchange.route;
};
