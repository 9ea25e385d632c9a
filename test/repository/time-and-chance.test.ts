import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/** One violation per line. */
const hiddenSources = [
  'export const at = Date.now();',
  'export const clock = { now: Date.now };',
  'export const date = new Date();',
  'export const dateToo = new Date;',
  'export const text = Date();',
  'export const sinceMs = performance.now();',
  'export const since = process.hrtime.bigint();',
  'export const upSeconds = process.uptime();',
  'export const later = setTimeout(() => {}, 1);',
  'export const often = setInterval(() => {}, 1);',
  'export const around = globalThis.setTimeout;',
  'export const limit = AbortSignal.timeout(1);',
  "export { setTimeout as wait } from 'node:timers/promises';",
  "export { setInterval as repeat } from 'node:timers';",
  "export { performance as stopwatch } from 'node:perf_hooks';",
  'export const jitter = Math.random();',
  'export const chance = { fraction: Math.random };',
  'export const id = crypto.randomUUID();',
  'export const bytes = crypto.getRandomValues(new Uint8Array(1));',
  "export { randomUUID } from 'node:crypto';",
  "export { randomInt as dice, createHash } from 'node:crypto';",
  "export const secret = (await import('node:crypto')).randomBytes(1);",
  "export * as everything from 'node:crypto';",
];
const realSources = ['systemClock', 'systemRandom', 'randomId'].map((name) => `export const own_${name} = ${name};`);
const harmless = [
  'export const then = new Date(5);',
  "export const parsed = Date.parse('2026-03-10');",
  'export const rounded = Math.floor(1.5);',
  "export { createHash, createHmac, timingSafeEqual } from 'node:crypto';",
  "export { setImmediate as nextTurn } from 'node:timers/promises';",
];

/** One forbidden measurement of real time per line. */
const measured = [
  'export const measuredFrom = performance.now();',
  'export const measuredSince = process.hrtime.bigint();',
  'export const upFor = process.uptime();',
  'export const keptMs = Date.now();',
  'export const tookMs = Date.now() - then.getTime();',
  'export const leftMs = then.getTime() - Date.now();',
  'export const isLate = Date.now() > 5;',
  'export const isEarly = 5 > Date.now();',
  'export const tookToo = systemClock.now() - 5;',
  'export const arrivals = []; arrivals.push(Date.now());',
];
const handedOn = [
  'export const inAnHour = new Date(Date.now() + 3_600_000);',
  'export const ahead = { now: () => Date.now() + 5 };',
  'export const seconds = Math.floor(Date.now() / 1000);',
];

const lines = [...hiddenSources, ...realSources, ...harmless];
const linesOfTests = [...measured, ...handedOn, ...harmless];

const sourcePaths = ['functions/orders/create.ts', 'functions/products/handler.ts', 'shared/core/aws-calls.ts', 'local/region.ts'] as const;
const testPath = 'test/orders/create.test.ts';
const wall = /^(plugin|lint\/style\/noRestricted(Globals|Imports))$/;

interface Finding {
  readonly category: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

let folder: string;
let findings: readonly Finding[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'time-and-chance-'));
  cpSync('.biome', join(folder, '.biome'), { recursive: true });
  const { vcs: _, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'));
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules));
  for (const path of sourcePaths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
  }
  mkdirSync(dirname(join(folder, testPath)), { recursive: true });
  writeFileSync(join(folder, testPath), `${linesOfTests.join('\n')}\n`);
  const options = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout } = spawnSync(resolve('node_modules/.bin/biome'), options, { cwd: folder, encoding: 'utf8' });
  findings = JSON.parse(stdout).diagnostics;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the lines that the lint rule rejects at this path, each once. */
const rejectedLines = (path: (typeof sourcePaths)[number] | typeof testPath, written = lines): readonly string[] => {
  const found = findings.filter(({ category, location }) => wall.test(category) && location.path === path);
  const numbers = new Set(found.map(({ location }) => location.start.line));
  return written.filter((_, i) => numbers.has(i + 1));
};

test('lint rejects every real source of time and chance in deployed code', () => {
  expect(rejectedLines('functions/orders/create.ts')).toEqual([...hiddenSources, ...realSources]);
});

test("a function's handler may name the real sources, but read no other", () => {
  expect(rejectedLines('functions/products/handler.ts')).toEqual(hiddenSources);
});

test('clients on the wire may use timers and tokens, and undeployed code any source', () => {
  expect(rejectedLines('shared/core/aws-calls.ts')).toEqual(realSources);
  expect(rejectedLines('local/region.ts')).toEqual([]);
});

test('a test may pass real time on, but not measure it', () => {
  expect(rejectedLines(testPath, linesOfTests)).toEqual(measured);
});
