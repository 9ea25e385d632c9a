import type { EventType } from '../domain/event-types.ts';
import type { Expense } from '../domain/expense.ts';
import { expensePayload } from './expense-payload.ts';

/** One committed change of a record, both images. */
export type Change = { readonly kind: 'expense'; readonly before: Expense | undefined; readonly after: Expense | undefined };

export interface EventOfChange {
  readonly type: EventType;
  readonly object: unknown;
}

/** A soft delete emits nothing, and a deleted record is not heard of again (decisions §7). */
const expenseEvents = (before: Expense | undefined, after: Expense): EventOfChange[] =>
  after.deleted_at === null ? [{ type: before ? 'expense.updated' : 'expense.created', object: expensePayload(after) }] : [];

/** What a change means to the outside: the same for every writer, and nothing where a record is removed for good. */
export const eventsOfChange = ({ before, after }: Change): readonly EventOfChange[] => (after ? expenseEvents(before, after) : []);
