import { createHash } from 'node:crypto';
import type { Storage } from '../storage.ts';
import type { Meter } from './capacity.ts';
import { cancelled, otherRequest, type Reason, validation } from './errors.ts';
import { checkFields } from './input.ts';
import type { Item } from './values.ts';
import { type Prepared, prepare, store, type TableOf, type WriteKind } from './write.ts';

type TransactItems = readonly Readonly<Record<string, object>>[];

interface Judged {
  readonly reason: Reason;
  readonly before: Item | undefined;
  readonly after?: Item | undefined;
}

const maxWrites = 100;
const tokenLifeMs = 600_000;

const judge = (storage: Storage, write: Prepared): Judged => {
  const before = storage.get(write.shape, write.values);
  if (!write.holds(before))
    return { before, reason: { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed', old: write.shown(before) } };
  try {
    return { before, reason: { Code: 'None' }, after: write.outcome(before) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ValidationException') throw error;
    return { before, reason: { Code: 'ValidationError', Message: error.message } };
  }
};

const writesOf = (tableOf: TableOf, items: TransactItems): readonly Prepared[] => {
  if (items.length === 0 || items.length > maxWrites) throw validation(`A transaction has 1 to ${maxWrites} writes.`);
  const writes = items.map((item) => {
    const [kind, ...others] = Object.keys(item).filter((name) => item[name] !== undefined);
    if (kind === undefined || others.length > 0) throw validation('TransactItems can only contain one of Check, Put, Update or Delete');
    return prepare(tableOf, kind as WriteKind, checkFields(kind, item[kind] as object));
  });
  const named = writes.map(({ shape, values }) => JSON.stringify([shape.name, values.partition, values.sort]));
  if (new Set(named).size < named.length) throw validation('Transaction request cannot include multiple operations on one item');
  return writes;
};

const digestOf = (items: TransactItems): string =>
  createHash('sha256')
    .update(
      JSON.stringify(items, (_, value) => {
        if (value instanceof Set) return [...value];
        return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
      }),
    )
    .digest('base64');

/** Writes all items of a transaction, or none. A transaction with a known token is not repeated. */
export const transact = (storage: Storage, tableOf: TableOf, raw: object, meter: Meter | undefined): object => {
  const input = checkFields('TransactWrite', raw);
  const items = input['TransactItems'] as TransactItems;
  const token = input['ClientRequestToken'] as string | undefined;
  const digest = token === undefined ? '' : digestOf(items);
  return storage.atomically(() => {
    const known = token === undefined ? undefined : storage.recall(token);
    if (known !== undefined) {
      if (known !== digest) throw otherRequest();
      return {};
    }
    const writes = writesOf(tableOf, items);
    const judged = writes.map((write) => judge(storage, write));
    if (judged.some(({ reason }) => reason.Code !== 'None')) throw cancelled(judged.map(({ reason }) => reason));
    writes.forEach((write, i) => {
      const { before, after } = judged[i] as Judged;
      store(storage, write, before, after);
      meter?.write(write.shape, before, after, true);
    });
    if (token !== undefined) storage.remember(token, digest, storage.now() + tokenLifeMs);
    return {};
  });
};
