import type { Account } from '../../../shared/domain/account/record.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { recordIn } from '../reading/records.ts';
import { changesOf, valuesDuring } from './history.ts';
import type { Evidence } from './invariant.ts';

interface Happening {
  readonly atMs: number;
  /** When the invocation began that did it. */
  readonly begunMs: number;
}

interface Birth extends Happening, Pick<Order, 'id' | 'source'> {
  readonly month: string;
}

/** The most that the clock of a function may be wrong. */
export const skewMs = 1_000;

export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** Returns the account's orders in the order of creation, including deleted ones. */
const birthsOf = (evidence: Evidence, account: string): readonly Birth[] =>
  changesOf(evidence, 'order', account).flatMap(({ before, after, atMs, position }) => {
    if (before || !after) return [];
    const { id, source, created_at } = recordIn<Order>(after);
    const [createdMs, invokedMs] = [Date.parse(created_at), evidence.region.begunMs[position] ?? 0];
    // A process that ran out of time may commit in its next invocation what it decided before.
    const begunMs = createdMs < invokedMs - skewMs ? createdMs - skewMs : invokedMs;
    return [{ id, source, month: created_at.slice(0, 7), atMs, begunMs }];
  });

/** Returns the times at which the account got a limit and had none. */
const startsOf = (evidence: Evidence, account: string): readonly Happening[] =>
  changesOf(evidence, 'account', account).flatMap(({ before, after, atMs, position }) => {
    const [was, is] = [before, after].map((item) => (item?.['data'] as unknown as Account | undefined)?.order_limit);
    return was === null && typeof is === 'number' ? [{ atMs, begunMs: evidence.region.begunMs[position] ?? 0 }] : [];
  });

/** The orders and limits of an account over time. */
export interface Books {
  readonly evidence: Evidence;
  readonly account: string;
  readonly births: readonly Birth[];
  readonly starts: readonly Happening[];
  /**
   * Whether the order surely counts. One that was made while a limit began may be missed (decisions §4):
   * it was stored after the orders were counted, decided before the limit was stored, or is of a month
   * that had not begun by the clock that counted.
   */
  readonly isCounted: (birth: Birth) => boolean;
}

export const booksOf = (evidence: Evidence, account: string): Books => {
  const starts = startsOf(evidence, account);
  const isStoredBefore = ({ atMs, month }: Birth, start: Happening) => atMs < start.begunMs && month <= monthOf(start.begunMs - skewMs);
  const isCounted = (birth: Birth) => starts.every((start) => isStoredBefore(birth, start) || birth.begunMs > start.atMs);
  return { evidence, account, births: birthsOf(evidence, account), starts, isCounted };
};

export const limitsDuring = ({ evidence, account }: Books, fromMs: number, toMs: number) =>
  valuesDuring(evidence, account, 'order_limit', [fromMs, toMs]);

/**
 * Returns the first month that a limit counts. If it begins as a month ends, the clock of its function may
 * say that the next month has begun. Orders of these seconds may be missed (decisions §4).
 */
export const firstMonth = (books: Books, atMs: number): string =>
  monthOf((books.starts.findLast((start) => start.atMs <= atMs)?.atMs ?? 0) + skewMs);
