import { expect, test } from '@jest/globals';
import { functionNames } from '../../lib/functions.ts';
import { groupNames, groups } from '../../lib/groups.ts';
import { metricNames, metricSpecOf } from '../../lib/metrics.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { deployedFilters, logGroupsOf } from '../support/metric-filters.ts';
import { propertiesOf, synthesize } from './synthesize.ts';

test('filters are one per metric and log group, in the namespace of the stack', () => {
  const filters = deployedFilters(synthesize().templates.us);
  const wanted = metricNames.flatMap((name) => metricSpecOf(name).logs.map((logGroup) => `${name} ${logGroup}`));
  expect(filters.map(({ metric, logGroup }) => `${metric} ${logGroup}`).sort()).toEqual(wanted.sort());
  for (const { MetricTransformations } of propertiesOf(synthesize().templates.eu, 'AWS::Logs::MetricFilter'))
    expect(MetricTransformations).toEqual([expect.objectContaining({ MetricNamespace: 'BakeryCommerce-eu' })]);
});

test('filters take a value only from a member that the pattern asks for', () => {
  for (const { pattern, value, dimensions } of deployedFilters(synthesize().templates.us))
    for (const field of [value, ...dimensions.map(({ Value }) => Value)].filter((one) => one.startsWith('$.')))
      expect(pattern).toContain(`(${field} `);
});

test('rate limits are counted by the rules there are', () => {
  expect(metricSpecOf('RateLimitHits').dimension?.values).toEqual([...Object.values(rateRules), webhookTestRule].map(({ name }) => name));
});

test('the functions of the API log to one group, all others each to its own', () => {
  const api = [...groupNames, 'fallback'];
  const { api: together, ...alone } = logGroupsOf(synthesize().templates.us);
  expect([...(together ?? [])].sort()).toEqual(api.sort());
  expect(alone).toEqual(Object.fromEntries(functionNames.filter((name) => !api.includes(name)).map((name) => [name, [name]])));
});

test('an operation is named once, so that `op` identifies a line in the shared group', () => {
  const operations = Object.values(groups).flatMap((routes) => routes.map(({ operation }) => operation));
  expect(new Set(operations).size).toBe(operations.length);
});
