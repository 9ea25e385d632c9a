import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../shared/core/paging.ts';
import { type Route, routeKey } from '../../shared/core/routes.ts';
import { anyCharacter } from '../support/any-character.ts';
import type { ListOwner, Sort } from '../support/list-sample.ts';
import { listRoutes, listSample } from '../support/lists.ts';
import { createTarget } from '../support/requests.ts';
import { askPage, idsOf, openList, walkPages } from '../support/walks.ts';
import { startWorld, type World } from '../support/world.ts';

// Guarantee 21 (docs/guarantees.md)

/** Guarantees of every list of the API. Each resource tests its own filters and ranges. */
let world: World;
beforeAll(async () => {
  const sent = { success: true, statusCode: 204, responseTimeMs: 1, error: null };
  world = await startWorld({ sender: { send: async () => sent, close: () => undefined } });
});
afterAll(() => world.stop());

type ListedRecord = { readonly id: string };
type KeyType = 'secret' | 'publishable';

/** Enough that each list shows more than 100, the greatest limit. */
const manyRecords = 122;
const fewRecords = 24;

const named = (routes: readonly Route[]) => routes.map((route) => [routeKey(route), route] as const);
const keyTypesOf = ({ keys }: Route): readonly KeyType[] => (keys === 'any' ? ['secret', 'publishable'] : ['secret']);
const latestFirst =
  (by: Sort<ListedRecord>['by']) =>
  (a: ListedRecord, b: ListedRecord): number => {
    const [one, other] = [by(a), by(b)];
    if (one !== other) return one < other ? 1 : -1;
    return a.id < b.id ? 1 : -1;
  };
const both = (...queries: readonly string[]): string => queries.filter((query) => query !== '').join('&');
const invalidCursor = {
  status: 400,
  body: { error: { type: 'validation_error', code: 'invalid_cursor', message: 'Invalid cursor', field: 'cursor' } },
};

describe.each(named(listRoutes))('%s', (title, route) => {
  const sample = listSample(route);
  const { sorts, filters, shows = () => true, most = Number.POSITIVE_INFINITY } = sample;
  const [defaultSort] = sorts as readonly [Sort<ListedRecord>];
  const narrowings = Object.entries({ '': () => true, ...filters });
  /** The first filter of each kind: its parameters, and whether a value is a list. */
  const kinds = Object.values(Object.groupBy(narrowings, ([query]) => query.replaceAll(/=[^&]*?(,)?[^&,]*(?=&|$)/g, '$1')));
  const firstOfKind = new Set(kinds.map((same = []) => same[0]?.[0]));

  /** All rows for the first list, and the first row for every other: lists share the decision. */
  const onFirst = <Row>(rows: readonly Row[]): readonly Row[] => (route === listRoutes[0] ? rows : rows.slice(0, 1));

  let owner: ListOwner;
  let records: readonly ListedRecord[];
  let neighbour: ListOwner;
  const keys = {} as Record<KeyType, string>;
  beforeAll(async () => {
    owner = await openList(world, route);
    records = await sample.fill(owner, Math.min(most, manyRecords));
    neighbour = await openList(world, route);
    await sample.fill(neighbour, Math.min(most, fewRecords));
    keys.secret = owner.key;
    keys.publishable = await world.createKey(owner.account, { type: 'publishable' });
  });

  const expectedIds = (type: KeyType, { by, takes = () => true }: Sort<ListedRecord>, keep: (record: ListedRecord) => boolean): string[] =>
    records
      .filter((one) => shows(one, type) && takes(one) && keep(one))
      .toSorted(latestFirst(by))
      .map(({ id }) => id);
  const list = (query: string) => askPage(owner, route, query);
  const few = async (): Promise<ListOwner> => {
    const one = await openList(world, route);
    await sample.fill(one, Math.min(most, fewRecords));
    return one;
  };

  test(`${title} returns an empty last page if there are no records`, async () => {
    const { status, body } = await askPage(await openList(world, route), route, '');
    expect([status, body]).toEqual([200, { data: [], pagination: { limit: 50, has_more: false, next_cursor: null, prev_cursor: null } }]);
  });

  // Every filter with the default sort, and one filter of each kind with every sort. The limit is
  // half of the list, so that a page ends within every list and not only within the long ones.
  test.each(
    keyTypesOf(route).flatMap((type) =>
      sorts.flatMap((sort) =>
        narrowings
          .filter(([narrowing]) => sort === defaultSort || firstOfKind.has(narrowing))
          .map(([narrowing, keep]) => ({ type, sort, keep, query: both(sort.query, narrowing) })),
      ),
    ),
  )(`${title} returns every record once over all pages, latest first, with a $type key: “$query”`, async ({ type, sort, keep, query }) => {
    const all = expectedIds(type, sort, keep);
    const limit = Math.max(1, Math.ceil(all.length / 2));
    const pages = await walkPages(owner, route, both(query, `limit=${limit}`), { key: keys[type] });
    expect(idsOf(pages)).toEqual(all);
    for (const { body } of pages) {
      expect(body.data.length).toBeLessThanOrEqual(limit);
      expect(body.pagination).toMatchObject({ limit, prev_cursor: null });
    }
    expect(pages.at(-1)?.body.pagination.next_cursor).toBeNull();
  });

  // A limit of 1 ends a page between any two records, also of the same time.
  test(`${title} returns every record once with any limit`, async () => {
    const [fullPage] = await walkPages(neighbour, route, 'limit=100');
    for (const limit of [1, 7])
      expect(idsOf(await walkPages(neighbour, route, `limit=${limit}`))).toEqual(idsOf(fullPage ? [fullPage] : []));
  });

  test.each(
    onFirst([
      ['101', 'limit=101', 100],
      ['nothing', '', 50],
      ['nothing behind the sign', 'limit=', 50],
      ['0', 'limit=0', 1],
      ['-3', 'limit=-3', 1],
      ['7', 'limit=7', 7],
      ['100', 'limit=100', 100],
      ['a fraction', 'limit=2.9', 2],
      ['an exponent', 'limit=1e2', 100],
      ['a word', 'limit=many', 50],
    ] as const),
  )(`${title} returns the documented number of records with a limit of %s`, async (_title, query, limit) => {
    const { body } = await list(query);
    const all = expectedIds('secret', defaultSort, () => true).length;
    expect([body.pagination.limit, body.data.length, body.pagination.has_more]).toEqual([limit, Math.min(limit, all), all > limit]);
  });

  test(`${title} accepts another limit on each page`, async () => {
    const { data, pagination } = (await list('limit=4')).body;
    const { body } = await list(`limit=3&cursor=${pagination.next_cursor}`);
    expect(idsOf([{ body: { data } }, { body }])).toEqual(expectedIds('secret', defaultSort, () => true).slice(0, 7));
  });

  test(`${title} ignores the order of parameters, and unknown parameters`, async () => {
    const [filter = ''] = Object.keys(filters);
    const query = both(sorts.at(-1)?.query ?? '', filter);
    const { pagination } = (await list(both(query, 'limit=2'))).body;
    const reversed = both('colour=red', `cursor=${pagination.next_cursor}`, ...query.split('&').toReversed(), 'limit=3');
    const straight = both(query, 'limit=3', `cursor=${pagination.next_cursor}`);
    expect((await list(reversed)).body).toEqual((await list(straight)).body);
  });

  describe('a cursor', () => {
    const cursorOf = async (query: string, of = owner): Promise<string> =>
      (await askPage(of, route, both(query, 'limit=2'))).body.pagination.next_cursor;
    /** Every sort and every filter alone that has a second page. */
    const variants = [
      ...sorts.map((sort) => ({ query: sort.query, sort, keep: () => true })),
      ...Object.entries<(record: ListedRecord) => boolean>(filters).map(([query, keep]) => ({ query, sort: defaultSort, keep })),
    ];
    const longEnough = () => variants.filter(({ sort, keep }) => expectedIds('secret', sort, keep).length > 2);

    const { defaultSort: name } = sample;
    if (name !== undefined)
      test(`a cursor of the default order of ${title} works if that order is named`, async () => {
        expect((await list(both(name, `cursor=${await cursorOf('')}`))).status).toBe(200);
      });

    test.each(
      onFirst(['garbage', '', 'x', '%00', 'null', 'MQ', 'é', '%FF', 'a b', '..%2F', 'eyJhIjoxfQ', 'WzEsIiIsIiIsIiJd', 'x'.repeat(5_000)]),
    )(`a cursor of ${title} is rejected if it does not decode: %j`, async (cursor) => {
      expect(await list(`cursor=${cursor}`)).toMatchObject(invalidCursor);
    });

    // Whether two cursors are for the same sort and filter is decided by their fingerprints alone. So
    // the fingerprints of all are compared, and the cursor of each is sent with its own query and
    // with one other.
    test(`a cursor of ${title} works with its own sort and filter, and is rejected with all others`, async () => {
      const long = longEnough();
      const fingerprints: string[] = [];
      for (const [i, { query: made }] of long.entries()) {
        const cursor = await cursorOf(made);
        fingerprints.push(decodeCursor(cursor)?.fingerprint ?? '');
        const next = long[(i + 1) % long.length]?.query ?? '';
        for (const sent of new Set([made, next])) {
          const { status, body } = await list(both(sent, 'limit=2', `cursor=${cursor}`));
          expect([made, sent, status, body.error?.code]).toEqual([
            made,
            sent,
            ...(made === sent ? [200, undefined] : [400, 'invalid_cursor']),
          ]);
        }
      }
      expect(new Set(fingerprints).size).toBe(long.length);
    });

    test(`a cursor of another account for ${title} is rejected`, async () => {
      expect(await askPage(neighbour, route, `cursor=${await cursorOf('')}`)).toMatchObject(invalidCursor);
    });

    test(`a cursor of every other list is rejected by ${title}`, async () => {
      const one = neighbour;
      const cursor = await cursorOf('', one);
      for (const other of listRoutes.filter((list) => list !== route)) {
        const id = await createTarget(world, other, one.key);
        expect(await askPage({ ...one, id }, other, `cursor=${cursor}`)).toMatchObject(invalidCursor);
      }
    });

    const { remove, change } = sample;
    if (remove)
      test(`a cursor of ${title} is rejected after its record was deleted, and the record is in no list`, async () => {
        const one = await few();
        const [before] = await walkPages(one, route, 'limit=2');
        const last = before?.body.data.at(-1);
        await remove(one, last);
        expect(await askPage(one, route, `cursor=${before?.body.pagination.next_cursor}`)).toMatchObject(invalidCursor);
        for (const { query } of sorts) expect(idsOf(await walkPages(one, route, query))).not.toContain(last.id);
      });

    test.each(change.queries)(`a cursor of ${title} continues from its old position after its record has moved: “%s”`, async (query) => {
      const one = await few();
      const before = idsOf(await walkPages(one, route, both(query, 'limit=100')));
      const page = (await askPage(one, route, both(query, 'limit=2'))).body;
      expect(before.length).toBeGreaterThan(2);
      await change.apply(one, page.data.at(-1));
      expect(idsOf(await walkPages(one, route, both(query, `cursor=${page.pagination.next_cursor}`)))).toEqual(before.slice(2));
    });

    test(`a cursor of ${title} is rejected if it names an unknown record`, async () => {
      const cursor = decodeCursor(await cursorOf(''));
      if (!cursor) throw new Error('The cursor does not decode.');
      const id = `${cursor.id.slice(0, -6)}nobody`;
      expect(await list(`cursor=${encodeCursor({ ...cursor, id })}`)).toMatchObject(invalidCursor);
    });

    test(`a cursor of ${title} that is forged but matches account, list and filters returns only the account's records or a 400`, async () => {
      const text = fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 30 }),
        fc.constantFrom('', '#', '~', ' ', '0', '9999', '000000000000', '999999999999', '2026-03-02T00:00:00.000Z', 'x'.repeat(3_000)),
        fc.constantFrom(...records.map(({ id }) => id)),
      );
      for (const { query, sort, keep } of longEnough()) {
        const cursor = decodeCursor(await cursorOf(query));
        if (!cursor) throw new Error('The cursor does not decode.');
        const own = new Set(expectedIds('secret', sort, keep));
        await fc.assert(
          fc.asyncProperty(fc.oneof(text, fc.constant(cursor.position)), fc.oneof(text, fc.constant(cursor.id)), async (position, id) => {
            const { status, body } = await list(both(query, 'limit=5', `cursor=${encodeCursor({ ...cursor, position, id })}`));
            if (status === 200) expect(idsOf([{ body }]).every((one) => own.has(one))).toBe(true);
            else expect({ status, body }).toMatchObject(invalidCursor);
          }),
          { numRuns: 3 },
        );
      }
    });
  });

  if (route.path.includes('{id}'))
    test(`${title} returns nothing of this record, and rejects its cursor, for another record of the account`, async () => {
      const one = neighbour;
      const { next_cursor } = (await askPage(one, route, 'limit=2')).body.pagination;
      const other = { ...one, id: await createTarget(world, route, one.key) };
      expect((await askPage(other, route, '')).body.data).toEqual([]);
      expect(await askPage(other, route, `cursor=${next_cursor}`)).toMatchObject(invalidCursor);
    });
});
