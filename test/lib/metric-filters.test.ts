import { expect, test } from '@jest/globals';
import { groupNames, groups } from '../../functions/groups.ts';
import { functionNames } from '../../lib/functions.ts';
import { metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { deployedFilters, logGroupsOf } from '../support/metric-filters.ts';
import { propertiesOf, synthesize } from './synthesize.ts';

test("each metric has one filter per log group, in the stack's namespace", () => {
  const filters = deployedFilters(synthesize().templates.us);
  const expected = metricNames.flatMap((name) => metricSpecOf(name).logs.map((logGroup) => `${name} ${logGroup}`));
  expect(filters.map(({ metric, logGroup }) => `${metric} ${logGroup}`).sort()).toEqual(expected.sort());
  for (const { MetricTransformations } of propertiesOf(synthesize().templates.eu, 'AWS::Logs::MetricFilter'))
    expect(MetricTransformations).toEqual([expect.objectContaining({ MetricNamespace: 'BakeryCommerce-eu' })]);
});

test('a filter takes values only from fields that its pattern requires', () => {
  for (const { pattern, value, dimensions } of deployedFilters(synthesize().templates.us))
    for (const field of [value, ...dimensions.map(({ Value }) => Value)].filter((one) => one.startsWith('$.')))
      expect(pattern).toContain(`(${field} `);
});

test('rate limit hits are counted for exactly the existing rules', () => {
  expect(metricSpecOf('RateLimitHits').dimension?.values).toEqual([...Object.values(rateRules), webhookTestRule].map(({ name }) => name));
});

test('API functions share a log group, and each other function has its own', () => {
  const api = [...groupNames, 'fallback'];
  const { api: together, ...alone } = logGroupsOf(synthesize().templates.us);
  expect([...(together ?? [])].sort()).toEqual(api.sort());
  expect(alone).toEqual(Object.fromEntries(functionNames.filter((name) => !api.includes(name)).map((name) => [name, [name]])));
});

test('operation names are unique, so `op` identifies a line in the shared log group', () => {
  const operations = Object.values(groups).flatMap((routes) => routes.map(({ operation }) => operation));
  expect(new Set(operations).size).toBe(operations.length);
});
