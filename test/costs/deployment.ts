import type { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../lib/functions.ts';
import { type MetricName, metricSpecOf } from '../../lib/metrics.ts';
import { flatten } from '../lib/iam.ts';
import { propertiesOf, resourcesOf, theOnly } from '../lib/synthesize.ts';

export type LogClass = 'STANDARD' | 'INFREQUENT_ACCESS';

/** Values in a region's template that decide the price of an invocation. */
export interface Deployment {
  readonly memoryMb: (name: FunctionName) => number;
  readonly logsOf: (name: FunctionName) => { readonly logClass: LogClass; readonly systemLogLevel: string };
  readonly accessLog: { readonly logClass: LogClass; readonly format: string };
  /** Custom metrics that are billed once each has data: one for each value of a dimension. */
  readonly metrics: number;
  /** Metrics that alarms watch. */
  readonly alarms: number;
}

/** Returns how many metrics a filter creates: one for each value of its dimension. */
const seriesOf = (metricName: string, dimensions: readonly string[]): number => {
  const { dimension } = metricSpecOf(metricName as MetricName);
  return dimensions.reduce((count, name) => {
    if (dimension?.name !== name) throw new Error(`lib/metrics.ts lists no values of the dimension ${name} of ${metricName}.`);
    return count * dimension.values.length;
  }, 1);
};

/**
 * Counts a template's custom metrics. Filters on several log groups share a metric if its name and
 * dimension are the same.
 */
const customMetricsOf = (template: Template): number => {
  const series = new Map<string, number>();
  for (const { MetricTransformations } of propertiesOf(template, 'AWS::Logs::MetricFilter'))
    for (const { MetricName, Dimensions = [] } of MetricTransformations as { MetricName: string; Dimensions?: { Key: string }[] }[]) {
      const dimensions = Dimensions.map(({ Key }) => Key);
      series.set([MetricName, ...dimensions].join('/'), seriesOf(MetricName, dimensions));
    }
  return [...series.values()].reduce((sum, count) => sum + count, 0);
};

/** Counts the metrics that alarms watch. An alarm with an expression pays for each of its metrics. */
const watchedMetricsOf = (template: Template): number =>
  propertiesOf(template, 'AWS::CloudWatch::Alarm').reduce((sum, { Metrics }) => {
    return sum + (Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in one).length : 1);
  }, 0);

/** Reads the template of a region with the default configuration. */
export const deploymentOf = (template: Template): Deployment => {
  const groups = resourcesOf(template, 'AWS::Logs::LogGroup');
  const classOf = (reference: unknown): LogClass => {
    const group = groups[/<(\w+)/.exec(flatten(reference))?.[1] ?? ''];
    if (!group) throw new Error(`No log group ${flatten(reference)}.`);
    return (group.Properties['LogGroupClass'] ?? 'STANDARD') as LogClass;
  };
  const functions = new Map(
    propertiesOf(template, 'AWS::Lambda::Function').map((one) => [String(one['FunctionName']).replace(/^BakeryCommerce-\w+?-/, ''), one]),
  );
  const functionOf = (name: FunctionName): Record<string, unknown> => {
    const found = functions.get(name);
    if (!found) throw new Error(`No function ${name}.`);
    return found;
  };
  const { AccessLogSettings } = theOnly(template, 'AWS::ApiGatewayV2::Stage');
  const { Format, DestinationArn } = AccessLogSettings as { Format: string; DestinationArn: unknown };
  return {
    memoryMb: (name) => Number(functionOf(name)['MemorySize']),
    logsOf: (name) => {
      const { LogGroup, SystemLogLevel = 'INFO' } = functionOf(name)['LoggingConfig'] as Record<string, unknown>;
      return { logClass: classOf(LogGroup), systemLogLevel: String(SystemLogLevel) };
    },
    accessLog: { logClass: classOf(DestinationArn), format: Format },
    metrics: customMetricsOf(template),
    alarms: watchedMetricsOf(template),
  };
};
