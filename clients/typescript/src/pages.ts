import type { Pagination } from './generated/types.gen.ts';

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly pagination: Pagination;
}

/**
 * Yields every record of a list. Requests pages with the same parameters until `has_more` is false;
 * an empty page is not the end (§ Endpoints). Records may repeat or be missed if data changes
 * meanwhile. After `invalid_cursor`, start again. Throws if a cursor comes twice, because the walk
 * would not end.
 */
export async function* eachOf<Item, Query extends { cursor?: string }>(
  list: (query: Query) => Promise<Page<Item>>,
  query: Query,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set([query.cursor]);
  let page = await list(query);
  yield* page.data;
  while (page.pagination.has_more) {
    const { next_cursor } = page.pagination;
    if (!next_cursor) throw new TypeError('A page with has_more came without next_cursor.');
    if (seen.has(next_cursor)) throw new TypeError('next_cursor came twice: the list would never end.');
    seen.add(next_cursor);
    page = await list({ ...query, cursor: next_cursor });
    yield* page.data;
  }
}
