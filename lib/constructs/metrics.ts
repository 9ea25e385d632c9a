import { Metric, type MetricOptions, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type JsonPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Stack } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { type FieldCondition, type MetricName, metricNames, metricSpecOf } from '../metrics.ts';
import type { LogGroups } from './service-function.ts';

const namespaceOf = (scope: Construct): string => Stack.of(scope).stackName;

const patternOf = ([name, condition]: readonly [string, FieldCondition]): JsonPattern => {
  const field = `$.${name}`;
  if (condition === true) return FilterPattern.booleanValue(field, true);
  if (typeof condition === 'string') return FilterPattern.stringValue(field, '=', condition);
  return 'present' in condition ? FilterPattern.exists(field) : FilterPattern.numberValue(field, '>=', condition.atLeast);
};

/** Creates the metric filters on a region's log groups. */
export const createMetricFilters = (scope: Construct, logGroups: LogGroups): void => {
  const here = new Construct(scope, 'Metrics');
  const filters = metricNames.flatMap((metricName) => {
    const { where, value, unit, dimension, logs } = metricSpecOf(metricName);
    return logs.map(
      (source) =>
        new MetricFilter(here, `${metricName}-${source}`, {
          logGroup: logGroups[source],
          filterPattern: FilterPattern.all(...Object.entries(where).map(patternOf)),
          metricNamespace: namespaceOf(here),
          metricName,
          metricValue: value === undefined ? '1' : `$.${value}`,
          unit: unit ? Unit.MILLISECONDS : Unit.COUNT,
          ...(dimension && { dimensions: { [dimension.name]: `$.${dimension.field}` } }),
        }),
    );
  });
  createThreeAtATime(filters);
};

/**
 * Returns a custom metric of the region. `value` selects the dimension's value, if the metric has a
 * dimension.
 */
export const serviceMetric = (scope: Construct, metricName: MetricName, options?: MetricOptions, value?: string): Metric => {
  const { dimension } = metricSpecOf(metricName);
  return new Metric({
    namespace: namespaceOf(scope),
    metricName,
    ...options,
    ...(dimension && value !== undefined && { dimensionsMap: { [dimension.name]: value }, label: value }),
  });
};

/**
 * CloudFormation creates all independent resources at once. If the API behind a resource takes few
 * calls a second (PutMetricFilter 5, PutMetricAlarm 3), dozens fail a first deployment with "Rate
 * exceeded". So each resource depends on the one three places before it.
 */
export const createThreeAtATime = (resources: readonly IConstruct[]): void => {
  for (const [i, earlier] of resources.slice(0, -3).entries()) resources[i + 3]?.node.addDependency(earlier);
};
