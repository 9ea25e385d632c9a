import { beforeAll, describe, expect, test } from '@jest/globals';
import { routeKey } from '../../shared/core/routes.ts';
import { synthesize } from '../lib/synthesize.ts';
import { readPage, statedIn } from '../support/marked-tables.ts';
import { allRoutes } from '../support/world.ts';
import { type Bill, billOf } from './bill.ts';
import { budgets, type Most } from './budgets.ts';
import { measureFigures } from './figures.ts';
import type { Operation } from './meter.ts';
import { type Invocation, totalOf } from './meter.ts';
import { unmeasured } from './routes.ts';
import { sectionsOf } from './tables.ts';

let operations: ReadonlyMap<string, Operation>;
let bills: ReadonlyMap<string, Bill>;
let sections: ReturnType<typeof sectionsOf>;
beforeAll(async () => {
  const figures = await measureFigures(synthesize().templates.us);
  operations = new Map(figures.operations.map((operation) => [operation.title, operation]));
  bills = new Map(figures.operations.map((operation) => [operation.title, billOf(operation, figures.deployment)]));
  sections = sectionsOf(figures);
});

test('every route of the API is measured, or listed with a reason', () => {
  const measured = new Set([...operations.values()].map(({ route }) => route));
  const missing = allRoutes.filter((route) => !measured.has(routeKey(route))).map(({ operation }) => operation);
  expect(missing.toSorted()).toEqual(Object.keys(unmeasured).toSorted());
});

describe('docs/cost.md', () => {
  const page = 'docs/cost.md';
  const names = [...readPage(page).matchAll(/<!-- measured: (.+) -->/g)].map(([, name = '']) => name);

  test.each(names)(`${page} contains the measured figures (\`npm run costs\` writes them): %s`, (name) => {
    expect(statedIn(readPage(page), name)).toBe(sections[page]?.[name]);
  });

  test(`${page} has markers for each generated part`, () => {
    expect(names.toSorted()).toEqual(Object.keys(sections[page] ?? {}).toSorted());
  });
});

const sumOf = (operation: Operation, units: (invocation: Invocation) => number): number =>
  operation.invocations.reduce((sum, invocation) => sum + units(invocation), 0);

test("the page's sentences about deliveries contain the measured figures", () => {
  const of = (title: string, units: (invocation: Invocation) => number) => operations.get(title)?.invocations.map(units) ?? [];
  const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
  const [one, tens] = ['a delivery alone', 'a delivery, ten in one invocation'];
  const text = (page: string) => readPage(page).replaceAll(/\s+/g, ' ');
  const reads = total(of(one, ({ readUnits }) => readUnits));
  const writes = (title: string) => total(of(title, ({ writeUnits }) => totalOf(writeUnits)));
  const [fanOut, deliver] = of(one, ({ calls }) => calls);
  const decision = text('docs/decisions/0025-delivery-reads-and-writes.md');
  expect(decision).toMatch(new RegExp(`\\| one delivery \\|[ \\d|]* ${writes(one)} \\|`));
  expect(decision).toMatch(new RegExp(`\\| ten deliveries [^|]*\\|[ \\d|]* ${writes(tens)} \\| -`));
  expect(new Set(of(one, ({ trips }) => trips))).toEqual(new Set([3]));
  expect(text('docs/cost.md')).toContain(
    `fan-out makes ${fanOut} calls and the attempt ${deliver}, 3 round trips each, and they read ${reads} units`,
  );
  const dearer =
    (bills.get('the same after a response of 1,000 incompressible bytes')?.total ?? 0) -
    (bills.get('a delivery that succeeds at the second attempt')?.total ?? 0);
  expect(text('docs/cost.md')).toContain(`$${dearer.toFixed(2)} a million in the last row`);
});

describe.each(Object.entries(budgets))('the budget of %s', (title, most) => {
  const taken: Record<keyof Most, (operation: Operation) => number | undefined> = {
    calls: (operation) => sumOf(operation, ({ calls }) => calls),
    trips: (operation) => sumOf(operation, ({ trips }) => trips),
    readUnits: (operation) => sumOf(operation, ({ readUnits }) => readUnits),
    writeUnits: (operation) => sumOf(operation, ({ writeUnits }) => totalOf(writeUnits)),
    dollars: () => bills.get(title)?.total,
  };

  test.each(Object.entries(most) as [keyof Most, number][])(`${title} takes at most the budget of %s: %d`, (name, limit) => {
    const operation = operations.get(title);
    expect(operation && taken[name](operation)).toBeLessThanOrEqual(limit);
  });
});
