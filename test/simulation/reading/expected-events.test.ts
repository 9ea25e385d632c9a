import { expect, test } from '@jest/globals';
import { withIds } from './expected-events.ts';

const account = 'acct_1';
const object = { id: 'prd_1', name: 'Rye', updated_at: '2026-03-05T10:00:00.300Z' };
const type = 'product.updated';

/** An equal save of the product, and when its change was last read. */
const save = (committedMs: number, lastDoneMs: number | undefined) => ({
  ...{ type, account, object, subject: object.id, changedMs: 300, committedMs, doneMs: lastDoneMs, lastDoneMs },
  ...({ closed: false, isLeft: false } as const),
});
/** An event that was stored first at that time. */
const stored = (id: string, storedMs: number) =>
  [id, { storedMs, first: { id, type, created: 0, tenant_id: account, data: { object } } }] as const;

test.each([
  ['stored before the other was committed', [stored('evt_2', 350), stored('evt_1', 700)], [save(300, 400), save(600, 900)]],
  ['stored while only it was read', [stored('evt_1', 700), stored('evt_2', 800)], [save(300, undefined), save(600, 750)]],
  ['stored by an invocation that hung', [stored('evt_2', 350), stored('evt_1', 950)], [save(300, 400), save(600, 900)]],
])('each of two equal saves in one second has the event that was %s', (_, events, saves) => {
  expect(withIds(new Map(events), saves).map(({ id }) => id)).toEqual(['evt_2', 'evt_1']);
});

test('a save without a stored event does not take that of an equal later save', () => {
  expect(withIds(new Map([stored('evt_1', 700)]), [save(300, 400), save(600, 900)]).map(({ id }) => id)).toEqual([undefined, 'evt_1']);
});
