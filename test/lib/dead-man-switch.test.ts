import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { matchesAny } from '../../local/pollers/stream.ts';
import { minuteMs, useDelivery } from '../support/delivery.ts';
import { refusal } from '../support/faults.ts';
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
let alarm: { readonly [member: string]: unknown };
beforeAll(() => {
  template = synthesize().templates.us;
  const mapping = theOnly(template, 'AWS::Lambda::EventSourceMapping', ({ FunctionName }) => flatten(FunctionName).includes('FanOut'));
  patterns = (mapping['FilterCriteria'] as { Filters: { Pattern: string }[] }).Filters.map(({ Pattern }) => JSON.parse(Pattern));
  alarm = theOnly(template, 'AWS::CloudWatch::Alarm', ({ AlarmName }) => AlarmName === 'BakeryCommerce-us-fan-out-missing');
});

/** The way from a sweep to an invocation of fan-out, intact or broken. */
interface Way {
  readonly sweeps?: boolean;
  readonly mapping?: boolean;
  readonly patterns?: readonly object[];
}

/** Invocations of fan-out by period, as Lambda publishes them; undefined without any. */
let values: (number | undefined)[];
beforeEach(() => {
  values = [];
});

/** Periods of five minutes as they pass on AWS. */
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

/** How CloudWatch judges the last periods, at its soonest: it waits for a few more without data. */
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
  t.world.wire.intercept(async (call, send) => (call.operation === operation ? refusal('AccessDeniedException') : send()));

test('while everything works there is a heartbeat in every period, and no alarm', async () => {
  await pass(6);
  expect([values, state()]).toEqual([[1, 1, 1, 1, 1, 1], 'OK']);
});

test('one period without a beat, as a late schedule makes it, is no alarm', async () => {
  await pass(3);
  await pass(1, { sweeps: false });
  expect(state()).toBe('OK');
  await pass(1, { sweeps: false });
  expect(state()).toBe('OK');
});

describe('within 15 minutes it is an alarm, and none once it is fixed, that', () => {
  const drill = async (way: Way, breakIt: () => void = () => undefined): Promise<void> => {
    await pass(2);
    breakIt();
    await pass(3, way);
    expect([values, state()]).toEqual([[1, 1, undefined, undefined, undefined], 'ALARM']);
    t.world.wire.intercept(undefined);
    await pass(1);
    expect(state()).toBe('OK');
  };

  test('the mapping is disabled, or may not read the stream any more, or the stream is switched off', () => drill({ mapping: false }));
  test('the filter of the mapping was changed by hand to the kinds that have events', () =>
    drill({ patterns: [{ dynamodb: { Keys: { pk: { S: [{ prefix: 'exp#' }, { prefix: 'ord#' }] } } } }] }));
  test('no sweep runs', () => drill({ sweeps: false }));
  test('the sweep may not write the heartbeat', () => drill({}, () => denied('PutItem')));
});

test('what waited while the mapping was disabled becomes events when it is enabled again', async () => {
  await pass(1);
  await writeExpense(t.world, t.account.id);
  await pass(3, { mapping: false });
  expect(state()).toBe('ALARM');
  await pass(1);
  await t.pipeline.drain();
  expect([state(), t.hook.requests.length]).toEqual(['OK', 1]);
});
