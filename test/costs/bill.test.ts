import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accessLogBytes, assumptions, type Bill, billOf, durationMs, timesOf } from './bill.ts';
import type { Deployment } from './deployment.ts';
import type { Invocation } from './meter.ts';

const deployment: Deployment = {
  memoryMb: () => 512,
  logsOf: () => ({ logClass: 'STANDARD', systemLogLevel: 'WARN' }),
  accessLog: { logClass: 'STANDARD', format: '{"rid":"$context.requestId"}' },
  metrics: 1,
  alarms: 1,
};

const invocations: fc.Arbitrary<Invocation> = fc
  .record({
    calls: fc.integer({ min: 1, max: 40 }),
    trips: fc.integer({ min: 1, max: 10 }),
    readUnits: fc.integer({ min: 0, max: 100 }),
    writeUnits: fc.record({ bucket: fc.integer({ min: 0, max: 2 }), records: fc.integer({ min: 0, max: 100 }) }),
    lines: fc.array(fc.integer({ min: 1, max: 300 })),
    sends: fc.integer({ min: 0, max: 3 }),
    posts: fc.integer({ min: 0, max: 2 }),
  })
  .map((members) => ({
    function: 'expenses',
    transactions: 0,
    bytesMade: { staying: { items: 0, entries: 0 }, expiring: { items: 0, entries: 0 } },
    messages: 0,
    schedules: 0,
    ...members,
  }));
const route = 'GET /api/v2/expenses';
const bill = (invocation: Invocation, changes: Partial<Deployment> = {}): Bill =>
  billOf({ title: 'one', route, invocations: [invocation], count: 1 }, { ...deployment, ...changes });
const sumOfTerms = ({ total: _, ...terms }: Bill): number => Object.values(terms).reduce((sum, term) => sum + term, 0);

test('the total is the sum of its terms, and none is negative', () => {
  fc.assert(
    fc.property(invocations, (invocation) => {
      const made = bill(invocation);
      expect(made.total).toBeCloseTo(sumOfTerms(made), 10);
      expect(Math.min(...Object.values(made))).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('an extra write unit costs $0.625 per million, a read unit $0.125', () => {
  fc.assert(
    fc.property(invocations, (invocation) => {
      const { bucket = 0 } = invocation.writeUnits;
      const written = bill({ ...invocation, writeUnits: { ...invocation.writeUnits, bucket: bucket + 1 } });
      const read = bill({ ...invocation, readUnits: invocation.readUnits + 1 });
      expect(written.total - bill(invocation).total).toBeCloseTo(0.625, 9);
      expect(read.total - bill(invocation).total).toBeCloseTo(0.125, 9);
    }),
  );
});

test('an operation in a batch of ten costs a tenth of the batch', () => {
  fc.assert(
    fc.property(invocations, (invocation) => {
      const quiet = { ...invocation, posts: 0 };
      const ten = billOf({ title: 'ten', invocations: [quiet], count: 10 }, deployment);
      const one = billOf({ title: 'one', invocations: [quiet], count: 1 }, deployment);
      expect(ten.total).toBeCloseTo(one.total / 10, 9);
    }),
  );
});

test('half the memory halves the cost of waiting and keeps the cost of CPU time', () => {
  fc.assert(
    fc.property(invocations, (invocation) => {
      const { waitMs, cpuMs } = timesOf(invocation, 1);
      const of = (memoryMb: number) => durationMs(invocation, { ...deployment, memoryMb: () => memoryMb }, 1) * memoryMb;
      expect(of(512)).toBeCloseTo(waitMs * 512 + cpuMs * assumptions.mbOfOneCpu, 6);
      expect(of(1024) - of(512)).toBeCloseTo(waitMs * 512, 6);
    }),
  );
});

describe('logs', () => {
  const line = { ...fc.sample(invocations, { numRuns: 1, seed: 1 })[0], lines: [174] } as Invocation;
  const logsOf = (systemLogLevel: string) => bill(line, { logsOf: () => ({ logClass: 'STANDARD', systemLogLevel }) }).logs;

  test('cost their bytes plus 26 per line, for the function and for the gateway', () => {
    const bytes = 174 + 26 + accessLogBytes(deployment.accessLog.format, route) + 26;
    expect(bill(line).logs).toBeCloseTo((bytes * 0.5) / 1_000, 9);
  });

  test('cost more if Lambda logs its own lines', () => {
    expect(logsOf('INFO') - logsOf('WARN')).toBeCloseTo(((140 + 26 + 280 + 26) * 0.5) / 1_000, 9);
    expect(logsOf('DEBUG')).toBeGreaterThan(logsOf('INFO'));
  });

  test('cost half in the Infrequent Access class', () => {
    const cheaper = bill(line, { logsOf: () => ({ logClass: 'INFREQUENT_ACCESS', systemLogLevel: 'WARN' }) }).logs;
    expect(bill(line).logs - cheaper).toBeCloseTo((200 * 0.25) / 1_000, 9);
  });
});
