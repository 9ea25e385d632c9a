import { foldCase } from '../core/text.ts';
import type { Db, Item } from './client.ts';
import { decode, listedOf } from './encodings.ts';
import { expr } from './expressions.ts';
import { indexEntry, indexPartition, partition, timePosition } from './keys.ts';
import { type Page, type PageRequest, separator } from './page.ts';
import { type Plan, readListPage } from './plan.ts';
import { decodeRecord } from './records.ts';
import { indexKeys, indexNames, type Kind, kinds, type ListSource } from './schema.ts';
import { sendAlone, updateItem } from './write.ts';

/**
 * A kind's lists are data: its row in the table of kinds names each sort order and the source (index
 * or table) for the whole list and for each filter. `openList` uses them twice:
 *
 * - `entries` returns the index keys with which a record is written.
 * - `list` makes the `Plan` of a page, by which `readListPage` reads it.
 *
 * The types below read that row, so that a store can only sort and filter by what has a source. For
 * orders: `SortOf` is `createdAt`, `updatedAt` or `deliveryDate`; `FilterOf` is `external_id`,
 * `customer_id`, `status` or `payment_status`.
 */

/** Kinds that have lists. */
export type ListedKind = { [K in Kind]: keyof (typeof kinds)[K]['lists'] extends never ? never : K }[Kind];
type Lists<K extends ListedKind> = (typeof kinds)[K]['lists'];
type SortOf<K extends ListedKind> = keyof Lists<K> & string;
/** Sort orders with an index. A list that is read from the table itself sorts by id. */
type IndexedSortOf<K extends ListedKind> = {
  [S in SortOf<K>]: Lists<K>[S][keyof Lists<K>[S]] extends 'table' ? never : S;
}[SortOf<K>];
type FieldsOf<Sources> = Sources extends unknown ? Exclude<keyof Sources, 'all'> & string : never;
/** Fields that the lists of a kind can be filtered by. */
export type FilterOf<K extends ListedKind> = FieldsOf<Lists<K>[SortOf<K>]>;

/**
 * A sort order: the value to sort by, and `position`, which writes it as text that sorts the same
 * way.
 */
interface Sorting<Listed> {
  readonly value: (listed: Listed) => string | number;
  readonly position: (value: string | number) => string;
}

export const byTime = <Listed>(value: (listed: Listed) => string): Sorting<Listed> => ({
  value,
  position: (iso) => timePosition(String(iso)),
});

/**
 * Declares a kind's lists, which its row in the table of kinds names. It does not compile without a
 * sort order for each index.
 */
export interface ListSpec<K extends ListedKind, Record, Listed = Record> {
  readonly kind: K;
  readonly sorts: { readonly [S in IndexedSortOf<K>]: Sorting<Listed> };
  /** The fields that lists show, if not all. */
  readonly shown?: (record: Record) => Listed;
  /** Whether a record is deleted. Then it is in no list, and a cursor to it is invalid. */
  readonly isGone?: (record: Record) => boolean;
  /**
   * Whether lists with this sort order show the record. Absent if they show every record that is
   * not deleted.
   */
  readonly isIn?: (record: Record, sort: SortOf<K>) => boolean;
  /** Returns the text that a search matches. */
  readonly name?: (listed: Listed) => string | null;
  /**
   * Set if a page read from the table may be slightly old, like a page of an index. Such a read
   * costs half.
   */
  readonly mayLag?: true;
}

export interface ListQuery<K extends ListedKind> {
  readonly sort: SortOf<K>;
  /**
   * Filters: a record must have one of the given values in each named field. A field without an
   * index cannot be filtered by.
   */
  readonly where?: [FilterOf<K>] extends [never] ? undefined : { readonly [F in FilterOf<K>]?: readonly string[] };
  /** Bounds of the value by which the list is sorted, both included. */
  readonly from?: string | number;
  readonly to?: string | number;
  /** Text that the name must contain, in any letter case. */
  readonly search?: string;
}

/** Whether the name contains the text, in any case and Unicode form. True without a text. */
export const nameContains = (name: string | null, search: string | undefined): boolean =>
  search === undefined || foldCase(name ?? '').includes(foldCase(search));

type Sources = { readonly [field: string]: ListSource };
/** The accepted values of each field that is filtered by. */
type Filters = { readonly [field: string]: readonly string[] | undefined };

/** Returns a function that tests an item against filters and search; undefined without any. */
const filterOf = <Listed>(filters: Filters, search: string | undefined, name: (listed: Listed) => string | null) => {
  const set = Object.entries(filters).filter(([, values]) => values !== undefined);
  if (set.length === 0 && search === undefined) return undefined;
  return (item: Item): boolean => {
    const listed = listedOf<Listed>(item);
    return (
      set.every(([field, values]) => (values as readonly unknown[]).includes(listed[field as keyof Listed])) &&
      nameContains(name(listed), search)
    );
  };
};

export const openList = <K extends ListedKind, Record extends { readonly id: string }, Listed = Record>(
  db: Db,
  spec: ListSpec<K, Record, Listed>,
) => {
  const { kind, isGone = () => false, isIn = (record) => !isGone(record), name = () => null } = spec;
  const lists: Readonly<{ [sort: string]: Sources }> = kinds[kind].lists;
  const sortings = spec.sorts as { readonly [sort: string]: Sorting<Listed> | undefined };

  /**
   * Plans a read: from the index of the first filter that has one in this order, with a partition for
   * each of its values; otherwise from the source of the whole list. What remains of filters and
   * search applies after the read.
   */
  const planOf = (account: string, { sort, where, from, to, search }: ListQuery<K>): Plan<Listed> => {
    const sources = lists[sort] ?? {};
    const filters: Filters = where ?? {};
    const indexed = Object.keys(sources).find((field) => filters[field] !== undefined) ?? 'all';
    const source = sources[indexed];
    const home = partition(kind, account);
    const whole = source === 'table' ? home : indexPartition(kind, account);
    const position = (value: string | number | undefined) => (value === undefined ? undefined : sortings[sort]?.position(value));
    return {
      index: source === 'table' ? undefined : source,
      mayLag: spec.mayLag,
      partitions: filters[indexed]?.map((value) => indexPartition(kind, account, value)) ?? [whole],
      home,
      from: position(from),
      to: position(to),
      keep: filterOf({ ...filters, [indexed]: undefined }, search, name),
      isGone: (item) => isGone(decode<Record>(item)),
      decode: listedOf<Listed>,
    };
  };

  return {
    /** Returns the record's key attributes in the indexes. */
    entries(account: string, record: Record): Item {
      const listed = spec.shown ? spec.shown(record) : (record as object as Listed);
      const entriesOf = (sort: string) => {
        const sorting = sortings[sort];
        if (!sorting || !isIn(record, sort as SortOf<K>)) return [];
        const sortKey = `${sorting.position(sorting.value(listed))}${separator}${record.id}`;
        return Object.entries(lists[sort] ?? {}).map(([field, source]) => {
          const value = field === 'all' ? account : listed[field as keyof Listed];
          if (source === 'table' || value == null) return {};
          return indexEntry(source, indexPartition(kind, account, ...(field === 'all' ? [] : [String(value)])), sortKey);
        });
      };
      return Object.assign({}, ...Object.keys(lists).flatMap(entriesOf));
    },
    /** Reads one page, latest first. */
    list: (account: string, query: ListQuery<K>, page: PageRequest): Promise<Page<Listed>> =>
      readListPage(db, planOf(account, query), page),
  };
};

/** Returns the key attributes that a record has in the indexes of its lists. */
export type IndexEntries<Record> = (account: string, record: Record) => Item;

const keyNames = indexNames.flatMap((name) => Object.values(indexKeys(name)));

/**
 * Gives a stored record the index keys that its lists have now, for example after a new filter. It is
 * not a save: it emits no event and changes no field. Returns whether keys were missing or outdated.
 * If another write came in between, that write has set the keys.
 */
export const reindex = async <Record>(db: Db, account: string, item: Item, entries: IndexEntries<Record>): Promise<boolean> => {
  const { record, revision } = decodeRecord<Record>(item);
  const expected = entries(account, record);
  const changed = keyNames.filter((name) => item[name] !== expected[name]);
  if (changed.length === 0) return false;
  const set = Object.fromEntries(changed.flatMap((name) => (expected[name] === undefined ? [] : [[name, expected[name]]])));
  const remove = changed.filter((name) => expected[name] === undefined);
  await sendAlone(db, updateItem(db, { pk: item['pk'], sk: item['sk'] }, { set, remove, where: expr`revision = ${revision}` }));
  return true;
};
