import { type RetryLimits, retryStale as retryStaleWithin } from '../../shared/operations/operation.ts';
import type { ActionServices } from './action.ts';

/** The dashboard can wait: many rounds, spread so that they come through one after the other. */
export const retries: RetryLimits = { rounds: 40, maxPauseMs: 200 };

/** Reads, decides and writes again, where another write came between; gives up with that conflict after the last round. */
export const retryStale = <Result>(services: Pick<ActionServices, 'clock' | 'random'>, work: () => Promise<Result>): Promise<Result> =>
  retryStaleWithin(services, retries, work);
