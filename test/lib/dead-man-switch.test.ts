import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { matchesAny } from '../../local/pollers/stream.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { rejectWith } from '../support/faults.ts';
import { writeExpense } from '../support/records.ts';
import { flatten } from './iam.ts';
import { synthesize, theOnly } from './synthesize.ts';

/**
 * The drill of the runbook, played on the pipeline with the filters, the schedule and the alarm of
 * the template.
 */
const t = useDelivery();
let template: Template;
let patterns: object[];
let alarm: { readonly [property: string]: unknown };
beforeAll(() => {
  template = synthesize().templates.us;
  const mapping = theOnly(template, 'AWS::Lambda::EventSourceMapping', ({ FunctionName }) => flatten(FunctionName).includes('FanOut'));
  patterns = (mapping['FilterCriteria'] as { Filters: { Pattern: string }[] }).Filters.map(({ Pattern }) => JSON.parse(Pattern));
  alarm = theOnly(template, 'AWS::CloudWatch::Alarm', ({ AlarmName }) => AlarmName === 'BakeryCommerce-us-fan-out-missing');
});

/** The path from a sweep to an invocation of fan-out; `false` breaks a step. */
interface Way {
  readonly sweeps?: boolean;
  readonly mapping?: boolean;
  readonly patterns?: readonly object[];
}

/** Invocations of fan-out per period, as Lambda publishes them; undefined without any. */
let values: (number | undefined)[];
beforeEach(() => {
  values = [];
});

/** Runs periods of five minutes as they pass on AWS. */
const pass = async (periods: number, way: Way = {}): Promise<void> => {
  for (let i = 0; i < periods; i++) {
    // A sweep that fails is logged by Lambda, and the next one comes in five minutes.
    if (way.sweeps ?? true) await t.pipeline.sweep().catch(() => undefined);
    const records = (way.mapping ?? true) ? await t.pipeline.changes() : [];
    const passing = records.filter((record) => matchesAny(way.patterns ?? patterns, record));
    if (passing.length > 0) await t.pipeline.fanOut(passing);
    values.push(passing.length > 0 ? 1 : undefined);
    t.world.clock.advance(5 * minuteMs);
  }
};

/**
 * The earliest state that CloudWatch reports for the last periods; without data it waits a few
 * more.
 */
const state = (): 'ALARM' | 'OK' => {
  expect(alarm).toMatchObject({
    Namespace: 'AWS/Lambda',
    MetricName: 'Invocations',
    ComparisonOperator: 'LessThanThreshold',
    Statistic: 'Sum',
    TreatMissingData: 'breaching',
    Period: 300,
  });
  const judged = values.slice(-Number(alarm['EvaluationPeriods']));
  const breaching = judged.filter((value) => value === undefined || value < Number(alarm['Threshold']));
  return breaching.length === judged.length ? 'ALARM' : 'OK';
};

const denied = (operation: string) =>
  t.world.wire.intercept(async (call, send) => (call.operation === operation ? rejectWith('AccessDeniedException') : send()));

test('a healthy pipeline has a heartbeat in every period and no alarm', async () => {
  await pass(6);
  expect([values, state()]).toEqual([[1, 1, 1, 1, 1, 1], 'OK']);
});

test('one missing heartbeat, for example by a late schedule, fires no alarm', async () => {
  await pass(3);
  await pass(1, { sweeps: false });
  expect(state()).toBe('OK');
  await pass(1, { sweeps: false });
  expect(state()).toBe('OK');
});

describe('the alarm of the change stream', () => {
  const drill = async (way: Way, breakIt: () => void = () => undefined): Promise<void> => {
    await pass(2);
    breakIt();
    await pass(3, way);
    expect([values, state()]).toEqual([[1, 1, undefined, undefined, undefined], 'ALARM']);
    t.world.wire.intercept(undefined);
    await pass(1);
    expect(state()).toBe('OK');
  };

  test('the alarm fires within 15 minutes if the mapping is disabled, cannot read, or the stream is off', () => drill({ mapping: false }));
  test("the alarm fires within 15 minutes if the mapping's filter lets only kinds with events through", () =>
    drill({ patterns: [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'exp#' }, { prefix: 'ord#' }] } } } }] }));
  test('the alarm fires within 15 minutes if the sweep does not run', () => drill({ sweeps: false }));
  test('the alarm fires within 15 minutes if the sweep cannot write the heartbeat', () => drill({}, () => denied('PutItem')));
});

test('a change that was written while the mapping was disabled becomes an event once it is enabled', async () => {
  await pass(1);
  await writeExpense(t.world, t.account.id);
  await pass(3, { mapping: false });
  expect(state()).toBe('ALARM');
  await pass(1);
  await t.pipeline.drain();
  expect([state(), t.hook.requests.length]).toEqual(['OK', 1]);
});
