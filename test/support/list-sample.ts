import type { World } from './world.ts';

/** Owner of a list; `id` is the record in the route's `{id}`. */
export interface ListOwner {
  readonly world: World;
  readonly account: string;
  readonly key: string;
  readonly id: string | undefined;
}

/**
 * One sort order of a list: its query, its sort value (latest first, ties by id), and the records
 * in its range.
 */
export interface Sort<Listed> {
  readonly query: string;
  readonly by: (record: Listed) => string | number;
  readonly takes?: (record: Listed) => boolean;
}

/** Properties of a list for the shared suites. */
export interface ListSample<Listed extends { readonly id: string }> {
  /**
   * Creates this many different records. Several have equal values in every sort order. `text` is
   * the longest field of each.
   */
  fill(owner: ListOwner, count: number, text?: string): Promise<readonly Listed[]>;
  /** Greatest number of records, if a long walk takes more. */
  readonly most?: number;
  /** False if a record has no text that could make a page too long. */
  readonly holdsText?: false;
  /** Absent if every key type sees every record. */
  readonly shows?: (record: Listed, keyType: 'secret' | 'publishable') => boolean;
  /** The first one is the default. */
  readonly sorts: readonly Sort<Listed>[];
  /** Name of the default sort, if it has one. */
  readonly defaultSort?: string;
  readonly filters: Readonly<Record<string, (record: Listed) => boolean>>;
  /** Removes a record from the list; absent if that is impossible. */
  readonly remove?: (owner: ListOwner, record: Listed) => Promise<unknown>;
  /** A change of a record, and the queries that then move or lose it. */
  readonly change: { readonly queries: readonly string[]; readonly apply: (owner: ListOwner, record: Listed) => Promise<unknown> };
}
