import { indexNames } from '../core/resources.ts';
import type { Db, Item } from './client.ts';
import { expr, update } from './expressions.ts';
import { decodeRecord } from './records.ts';
import { indexKeys } from './schema.ts';
import { sendUpdate } from './write.ts';

/** Returns the key attributes that a record has in the indexes of its lists. */
export type EntriesOf<Record> = (account: string, record: Record) => Item;

const keyNames = indexNames.flatMap((name) => Object.values(indexKeys(name)));

/**
 * Gives a stored record the index keys that its lists have now, for example after a new filter. It is
 * not a save: it emits no event and changes no field. Returns whether keys were missing or outdated.
 * If another write came in between, that write has set the keys.
 */
export const reindex = async <Record>(db: Db, account: string, item: Item, entries: EntriesOf<Record>): Promise<boolean> => {
  const { record, revision } = decodeRecord<Record>(item);
  const wanted = entries(account, record);
  const changed = keyNames.filter((name) => item[name] !== wanted[name]);
  if (changed.length === 0) return false;
  const set = Object.fromEntries(changed.flatMap((name) => (wanted[name] === undefined ? [] : [[name, wanted[name]]])));
  const remove = changed.filter((name) => wanted[name] === undefined);
  await sendUpdate(db, update(db.table, { pk: item['pk'], sk: item['sk'] }, { set, remove, where: expr`revision = ${revision}` }));
  return true;
};
