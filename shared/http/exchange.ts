import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { notFound } from '../core/errors.ts';
import type { Route } from '../core/routes.ts';
import type { ApiKey } from '../domain/account/api-key.ts';
import type { Account } from '../domain/account/record.ts';
import type { IdempotentRequest, StoredResponse } from '../table/idempotency.ts';
import type { Call } from './operation.ts';
import type { Response } from './responses.ts';

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
export interface Exchange {
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
