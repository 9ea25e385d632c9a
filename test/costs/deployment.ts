import type { Template } from 'aws-cdk-lib/assertions';
import type { FunctionName } from '../../lib/functions.ts';
import { flatten } from '../lib/iam.ts';
import { propertiesOf, resourcesOf, theOnly } from '../lib/synthesize.ts';

export type LogClass = 'STANDARD' | 'INFREQUENT_ACCESS';

/** What a region's template says about the price of an invocation. */
export interface Deployment {
  readonly memoryMb: (name: FunctionName) => number;
  readonly logsOf: (name: FunctionName) => { readonly logClass: LogClass; readonly systemLogLevel: string };
  readonly accessLog: { readonly logClass: LogClass; readonly format: string };
  readonly metrics: number;
}

/** Reads the template of a region with nothing configured. */
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
  const filters = propertiesOf(template, 'AWS::Logs::MetricFilter').map(({ MetricTransformations }) => {
    const [{ MetricName, Dimensions }] = MetricTransformations as [Record<string, unknown>];
    return JSON.stringify([MetricName, Dimensions]);
  });
  return {
    memoryMb: (name) => Number(functionOf(name)['MemorySize']),
    logsOf: (name) => {
      const { LogGroup, SystemLogLevel = 'INFO' } = functionOf(name)['LoggingConfig'] as Record<string, unknown>;
      return { logClass: classOf(LogGroup), systemLogLevel: String(SystemLogLevel) };
    },
    accessLog: { logClass: classOf(DestinationArn), format: Format },
    metrics: new Set(filters).size,
  };
};
