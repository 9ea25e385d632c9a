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
import { type Db, type Item, throughConflicts } from './client.ts';
import { type Change, type Condition, conditionOf, type Expression, update } from './expressions.ts';
import { assertStorable } from './size.ts';

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
   * Returns the error to throw if other transactions on the record keep conflicting for 5 s.
   * Without it, DynamoDB's error is thrown.
   */
  readonly contended?: () => Error;
  /**
   * Set if the condition is still met after the write was made. If it is the only write, it needs
   * no transaction.
   */
  readonly repeatable?: true;
  /**
   * Set on a put with a condition if its decision may be repeated after the put was made. Alone, it
   * needs no transaction. The item gets the mark of its commit, so that a repeated call recognizes
   * it. The decision is repeated only if another write of the record came between.
   */
  readonly remakeable?: true;
}

/** Condition of a write, and what follows if it fails. */
type Terms = Condition & Omit<Write, 'item'>;

/** Returns the write that puts an item. */
export const putItem = ({ table }: Db, Item: Item, { where, showOld, ...terms }: Terms = {}): Write => ({
  item: { Put: { TableName: table, Item, ...(where && conditionOf(where, showOld)) } },
  ...terms,
});

/** Returns the write that deletes an item. */
export const deleteItem = ({ table }: Db, Key: Item, { where, showOld, ...terms }: Terms = {}): Write => ({
  item: { Delete: { TableName: table, Key, ...(where && conditionOf(where, showOld)) } },
  ...terms,
});

/** Returns the write that updates an item. */
export const updateItem = ({ table }: Db, Key: Item, { rejectWith, ...change }: Change & Pick<Write, 'rejectWith'>): Write => ({
  item: { Update: update(table, Key, change) },
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

/**
 * Puts the item with the mark of the commit. If the condition fails but the item has the mark, an
 * earlier try succeeded.
 */
const putMarked = async ({ client }: Db, put: PutCommandInput, mark: string): Promise<void> => {
  try {
    const Item = { ...put.Item, [markAttribute]: mark };
    await client.send(new PutCommand({ ...put, Item, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException) || error.Item?.[markAttribute]?.S !== mark) throw error;
  }
};

/** Sends a write without a transaction. */
const sendItem = async ({ client }: Db, { Put, Delete, Update }: TransactItem, ReturnValues?: 'ALL_NEW'): Promise<Item | undefined> => {
  if (Put) return (await client.send(new PutCommand(Put))).Attributes;
  if (Delete) return (await client.send(new DeleteCommand(Delete))).Attributes;
  return Update && (await client.send(new UpdateCommand({ ...Update, ReturnValues }))).Attributes;
};

/**
 * Sends a single write that may be repeated. Returns undefined if the writes need a transaction.
 */
const sendWithout = (db: Db, [write, ...others]: readonly Write[], mark: string): Promise<unknown> | undefined => {
  if (!write || others.length > 0) return undefined;
  const { Put } = write.item;
  if (Put && write.remakeable) return putMarked(db, Put, mark);
  const isRepeatable = write.repeatable || (Put && Put.ConditionExpression === undefined);
  return isRepeatable ? sendItem(db, write.item) : undefined;
};

/** Whether other traffic on the same items cancelled a transaction, so that a retry may succeed. */
const isPassing = (error: unknown): boolean => {
  const passing = ['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];
  return (
    error instanceof TransactionCanceledException &&
    (error.CancellationReasons ?? []).every((reason) => passing.includes(reason.Code ?? ''))
  );
};

/**
 * Returns the error to throw for a failed commit: a write's own error if its condition failed or
 * other writes kept conflicting, otherwise the given error.
 */
const meaningOf = (error: unknown, writes: readonly Write[]): unknown => {
  if (error instanceof ConditionalCheckFailedException) return rejectionOf(writes[0], error.Item && unmarshall(error.Item));
  const reasons = (error instanceof TransactionCanceledException && error.CancellationReasons) || [];
  const failed = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
  if (failed !== -1) return rejectionOf(writes[failed], reasons[failed]?.Item && unmarshall(reasons[failed].Item));
  const busy = writes.find(({ contended }, i) => contended && reasons[i]?.Code === 'TransactionConflict');
  return busy?.contended?.() ?? error;
};

/** Result of a write that was sent alone. */
export interface Sent {
  /** Whether its condition held. */
  readonly done: boolean;
  /**
   * The attributes that the write asked to be returned, or the stored item if the condition failed
   * and the write asked for that.
   */
  readonly item: Item | undefined;
}

/** Returns the result of a write with a failed condition. Throws any other error. */
const failedWith = (error: unknown): Sent => {
  if (!(error instanceof ConditionFailed)) throw error;
  return { done: false, item: error.old };
};

/** Sends a repeatable write alone. `ReturnValues` are the attributes that an update returns. */
export const sendAlone = async (db: Db, write: Write, ReturnValues?: 'ALL_NEW'): Promise<Sent> => {
  try {
    return { done: true, item: await sendItem(db, write.item, ReturnValues) };
  } catch (error) {
    return failedWith(meaningOf(error, [write]));
  }
};

/**
 * Commits all writes or none. A single repeatable write is sent alone, and so is a single put if
 * its decision may be repeated. Everything else is a transaction, also a single write with another
 * condition: the SDK repeats a call if the response was lost, and only a transaction's token keeps
 * the repetition from failing at its own first write.
 *
 * A conflict with other transactions is retried with jitter for up to 5 s; then the write's
 * `contended` is thrown. A failed condition throws the write's error; any other error is thrown
 * unchanged. Before it sends anything, an item or key that the table would reject fails with 400.
 */
export const commit = async (db: Db, writes: readonly Write[]): Promise<void> => {
  const TransactItems = writes.map(({ item }) => item);
  for (const { Put, Update, Delete, ConditionCheck } of TransactItems)
    assertStorable(Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {});
  // All tries have the same token. So if a try succeeded and its response was lost, a later try
  // does not repeat it.
  const ClientRequestToken = randomText(db.random, 18);
  const send = (): Promise<unknown> =>
    sendWithout(db, writes, ClientRequestToken.slice(0, markLength)) ??
    db.client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
  try {
    await throughConflicts(db, send, isPassing);
  } catch (error) {
    throw meaningOf(error, writes);
  }
};

/** Commits all writes or none. If a condition fails, returns the stored item instead of an error. */
export const tryCommit = async (db: Db, writes: readonly Write[]): Promise<Sent> => {
  try {
    await commit(db, writes);
    return { done: true, item: undefined };
  } catch (error) {
    return failedWith(error);
  }
};
