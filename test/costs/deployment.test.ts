import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { synthesize } from '../lib/synthesize.ts';
import { deploymentOf } from './deployment.ts';

interface Filter {
  readonly Type: string;
  readonly Properties: { readonly MetricTransformations: { MetricName: string; Dimensions?: object[] }[] };
}
type Json = { readonly Resources: Record<string, Filter> };

/** Returns a region's template without a metric's dimensions, or with others. */
const withDimensions = (metric: string, dimensions: object[]): Template => {
  const json = structuredClone(synthesize().templates.us.toJSON()) as Json;
  for (const { Type, Properties } of Object.values(json.Resources))
    if (Type === 'AWS::Logs::MetricFilter')
      for (const transformation of Properties.MetricTransformations)
        if (transformation.MetricName === metric) transformation.Dimensions = dimensions;
  return Template.fromJSON(json as object);
};

test('each value of a dimension counts as a billed metric', () => {
  const { metrics } = deploymentOf(synthesize().templates.us);
  expect(metrics - deploymentOf(withDimensions('Attempts', [])).metrics).toBe(3);
  expect(metrics - deploymentOf(withDimensions('WorkRetried', [])).metrics).toBe(2);
});

test('a dimension without known values throws', () => {
  const template = withDimensions('KeysRefused', [{ Key: 'Reason', Value: '$.why' }]);
  expect(() => deploymentOf(template)).toThrow('the dimension Reason of KeysRefused');
});
