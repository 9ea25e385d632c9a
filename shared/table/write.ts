import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  PutCommand,
  type PutCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { randomText } from '../core/random.ts';
import { type Db, type Item, retryConflicts } from './client.ts';
import { type Change, type Condition, conditionOf, type Expression, updateInput } from './expressions.ts';
import { assertStorable } from './size.ts';

/**
 * How `commit` sends its writes. The SDK repeats a call if its response was lost, so a call that
 * succeeded must not fail at its own writes when it is repeated:
 *
 * - `alone`: a single put without a condition. The repetition puts the same item.
 * - `marked`: a single put of a record whose decision may be repeated. The item gets the mark of its
 *   commit, by which a repetition recognizes it (docs/decisions/0024).
 * - `transaction`: everything else. DynamoDB recognizes a repetition by the transaction's token. It
 *   costs twice the write units.
 */
type Strategy = 'alone' | 'marked' | 'transaction';

const strategyOf = ([write, ...others]: readonly Write[]): Strategy => {
  if (!write?.item.Put || others.length > 0) return 'transaction';
  if (write.marked) return 'marked';
  return write.item.Put.ConditionExpression === undefined ? 'alone' : 'transaction';
};

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** A write as a value. It has no effect until it is committed. */
export interface Write {
  readonly item: TransactItem;
  /**
   * Returns the error to throw if the write's condition fails; `old` is the stored record, if there
   * is one.
   */
  readonly rejectWith?: ((old: Item | undefined) => Error) | undefined;
  /**
   * Set on a put with a condition if its decision may be repeated after the put was made. It is
   * repeated only if another write of the record came between.
   */
  readonly marked?: boolean | undefined;
}

/** Condition of a write, and what follows if it fails. */
type Terms = Condition & Omit<Write, 'item'>;

/** Returns the write that puts an item. */
export const putItem = ({ table }: Db, Item: Item, { where, showOld, ...terms }: Terms = {}): Write => ({
  item: { Put: { TableName: table, Item, ...(where && conditionOf(where, showOld)) } },
  ...terms,
});

/** Returns the write that deletes an item. */
export const deleteItem = ({ table }: Db, Key: Item, { where, showOld, ...terms }: Omit<Terms, 'marked'> = {}): Write => ({
  item: { Delete: { TableName: table, Key, ...(where && conditionOf(where, showOld)) } },
  ...terms,
});

/** Returns the write that updates an item. */
export const updateItem = ({ table }: Db, Key: Item, { rejectWith, ...change }: Change & Pick<Write, 'rejectWith'>): Write => ({
  item: { Update: updateInput(table, Key, change) },
  rejectWith,
});

/** Returns the write that checks an item and leaves it as it is. */
export const checkItem = ({ table }: Db, Key: Item, condition: Expression, rejectWith: () => Error): Write => ({
  item: { ConditionCheck: { TableName: table, Key, ...conditionOf(condition) } },
  rejectWith,
});

/**
 * Whether a write failed because the stored record has a later `updated_at`. Its decision must then
 * be made again.
 */
export const isOvertaken = (old: unknown, updated_at: string | undefined): boolean =>
  updated_at !== undefined && ((old as { readonly updated_at?: string } | undefined)?.updated_at ?? '') > updated_at;

/** Thrown if a condition fails and the write names no error. */
export class ConditionFailed extends Error {
  override readonly name = 'ConditionFailed';
  readonly old: Item | undefined;

  constructor(old: Item | undefined) {
    super('The condition of a write did not hold.');
    this.old = old;
  }
}

const rejectionOf = (write: Write | undefined, old: Item | undefined): Error => write?.rejectWith?.(old) ?? new ConditionFailed(old);

/**
 * Name of the attribute with the mark of the commit that last wrote the record, if that write was a
 * marked put.
 */
const markAttribute = 'by';
/** Characters of a mark, each with six random bits. */
const markLength = 8;

/** Sends a write without a transaction. `ReturnValues` are the attributes that an update returns. */
const sendItem = async ({ client }: Db, { Put, Delete, Update }: TransactItem, ReturnValues?: 'ALL_NEW'): Promise<Item | undefined> => {
  if (Put) return (await client.send(new PutCommand(Put))).Attributes;
  if (Delete) return (await client.send(new DeleteCommand(Delete))).Attributes;
  return Update && (await client.send(new UpdateCommand({ ...Update, ReturnValues }))).Attributes;
};

/** Puts an item with a mark. If the condition fails but the item has the mark, an earlier try succeeded. */
const sendMarked = async ({ client }: Db, put: PutCommandInput, mark: string): Promise<void> => {
  try {
    const Item = { ...put.Item, [markAttribute]: mark };
    await client.send(new PutCommand({ ...put, Item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item?.[markAttribute]?.S !== mark) throw error;
  }
};

/** Sends writes by a strategy. All tries of a commit have the same token. */
const senders: Readonly<Record<Strategy, (db: Db, items: TransactItem[], token: string) => Promise<unknown>>> = {
  alone: async (db, [item]) => item && sendItem(db, item),
  marked: async (db, [item], token) => item?.Put && sendMarked(db, item.Put, token.slice(0, markLength)),
  transaction: ({ client }, TransactItems, ClientRequestToken) =>
    client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken })),
};

/** Whether other traffic on the same items cancelled a transaction, so that a retry may succeed. */
const isTransient = (error: unknown): boolean => {
  const passing = ['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).every((reason) => passing.includes(reason.Code ?? ''))
  );
};

const reasonsOf = (error: unknown) => (error instanceof TransactionCanceledException && error.CancellationReasons) || [];

/** Whether a commit failed because other transactions kept conflicting with its write of this index. */
export const isContended = (error: unknown, index: number): boolean => reasonsOf(error)[index]?.Code === 'TransactionConflict';

/** Returns the error to throw for a failed commit: that of the write with a failed condition, otherwise the given error. */
const commitErrorOf = (error: unknown, writes: readonly Write[]): unknown => {
  if (error instanceof ConditionalCheckFailedException) return rejectionOf(writes[0], error.Item && unmarshall(error.Item));
  const reasons = reasonsOf(error);
  const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
  return failed === -1 ? error : rejectionOf(writes[failed], reasons[failed]?.Item && unmarshall(reasons[failed].Item));
};

/** Result of a write that was sent alone. */
export interface SendResult {
  /** Whether its condition held. */
  readonly done: boolean;
  /**
   * The attributes that the write asked to be returned, or the stored item if the condition failed
   * and the write asked for that.
   */
  readonly item: Item | undefined;
}

/** Returns the result of a write with a failed condition. Throws any other error. */
const conditionFailure = (error: unknown): SendResult => {
  if (!(error instanceof ConditionFailed)) throw error;
  return { done: false, item: error.old };
};

/**
 * Sends one write without a transaction, for callers to which a repetition does no harm. If the
 * condition fails, returns the stored item instead of an error. `ReturnValues` are the attributes
 * that an update returns.
 */
export const sendAlone = async (db: Db, write: Write, ReturnValues?: 'ALL_NEW'): Promise<SendResult> => {
  try {
    return { done: true, item: await sendItem(db, write.item, ReturnValues) };
  } catch (error) {
    return conditionFailure(commitErrorOf(error, [write]));
  }
};

/**
 * Commits all writes or none, by the strategy that their repetition needs. Before it sends anything,
 * an item or key that the table would reject fails with 400.
 *
 * A conflict with other transactions is retried with jitter for up to 5 s. A failed condition throws
 * the write's error; any other error is thrown unchanged.
 */
export const commit = async (db: Db, writes: readonly Write[]): Promise<void> => {
  const items = writes.map(({ item }) => item);
  for (const { Put, Update, Delete, ConditionCheck } of items) assertStorable(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {});
  const strategy = strategyOf(writes);
  const token = randomText(db.random, 18);
  try {
    await retryConflicts(db, () => senders[strategy](db, items, token), isTransient);
  } catch (error) {
    throw commitErrorOf(error, writes);
  }
};

/** Commits all writes or none. If a condition fails, returns the stored item instead of an error. */
export const tryCommit = async (db: Db, writes: readonly Write[]): Promise<SendResult> => {
  try {
    await commit(db, writes);
    return { done: true, item: undefined };
  } catch (error) {
    return conditionFailure(error);
  }
};
