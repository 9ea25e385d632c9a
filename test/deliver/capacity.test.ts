import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { useDelivery } from '../support/delivery.ts';
import { writeExpense } from '../support/records.ts';
import type { WireCall } from '../support/wire.ts';

const t = useDelivery();

/** What a delivery writes, by part, and how the calls of each part are told. */
const partOf = ({ operation, input }: WireCall): string | undefined => {
  const expression = String(input['UpdateExpression'] ?? '');
  const item = JSON.stringify(input['Item'] ?? {});
  if (operation === 'PutItem') return item.includes('"evt#') ? 'body' : 'record';
  if (operation !== 'UpdateItem') return undefined;
  if (/SET #s\d/.test(expression)) return 'slots';
  if (/lease_until_ms = /.test(expression)) return 'lease';
  return /ADD /.test(expression) ? 'count' : 'end';
};
const unitsByPart = (): Record<string, number> => {
  const units: Record<string, number> = {};
  for (const call of t.world.wire.calls) {
    const part = partOf(call);
    if (part !== undefined) units[part] = (units[part] ?? 0) + call.capacityUnits;
  }
  return { ...units, total: Object.values(units).reduce((sum, part) => sum + part, 0) };
};

/** Parts and columns of the table in the page of access patterns. */
const stated = (column: number): Record<string, number> => {
  const page = readFileSync(new URL('../../docs/access-patterns.md', import.meta.url), 'utf8');
  const section = page.split('### What one delivery writes')[1]?.split('\n#')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && /\d/.test(line));
  return Object.fromEntries(rows.map((row) => row.split('|').map((cell) => cell.trim())).map((cells) => [cells[1], Number(cells[column])]));
};

/** Takes so many changes from the stream to the end of their first attempts, and says what that wrote. */
const measure = async (count: number): Promise<Record<string, number>> => {
  for (let i = 0; i < count; i++) await writeExpense(t.world, t.account.id);
  const changes = await t.pipeline.changes();
  t.world.wire.reset();
  await t.pipeline.fanOut(changes);
  await t.pipeline.deliver(t.pipeline.receive());
  return unitsByPart();
};

test('a delivery that is answered at once writes what the page of access patterns says', async () => {
  expect(await measure(1)).toEqual(stated(2));
});

test('an attempt that fails writes no more', async () => {
  t.hook.answer(500);
  expect(await measure(1)).toEqual(stated(2));
});

test('ten deliveries of one invocation share slots and count', async () => {
  expect(await measure(10)).toEqual(stated(3));
});
