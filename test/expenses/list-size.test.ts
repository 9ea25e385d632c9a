import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { expenseOf } from '../support/records.ts';
import { startWorld, type World } from '../support/world.ts';

const count = 70;
const maxBytes = 1_000_000;

let world: World;
let key: string;
let account: string;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  account = (await world.createAccount()).id;
  key = await world.createKey(account);
});
afterAll(() => world.stop());

const fill = async (description: string) => {
  for (let i = 0; i < count; i += 10) {
    const write = () => world.store.expenses.createWrite(account, expenseOf(world.clock.now() + i, { description }));
    await world.store.commit(Array.from({ length: 10 }, write));
  }
};

describe.each([
  ['of one byte a character', 'x'.repeat(20_000)],
  ['of four bytes a character', '🍰'.repeat(5_000)],
  ['of six bytes a character once it is JSON', '\u0001'.repeat(6_000)],
])('with long descriptions %s', (_what, description) => {
  test('a page ends before its answer would pass 1 MB, and the rest follows', async () => {
    await fill(description);
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor = ''; ; ) {
      const { status, text, body } = await world.request('GET', `/expenses?limit=100${cursor}`, { key });
      expect(status).toBe(200);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      sizes.push(Buffer.byteLength(text));
      if (!body.pagination.has_more) break;
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBytes);
    expect(sizes[0]).toBeGreaterThan(0.9 * maxBytes);
    expect(new Set(seen).size).toBe(count);
    expect(seen).toHaveLength(count);
  });
});
