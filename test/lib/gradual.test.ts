import { describe, expect, test } from '@jest/globals';
import { groupNames } from '../../functions/groups.ts';
import { gradualContext } from './contexts.ts';
import { functionNameOf } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize, theOnly } from './synthesize.ts';

const invokedByTheApi = [...groupNames, 'checkout-page', 'fallback'].sort();

test('each function that the API invokes has one alias, which moves to each new version', () => {
  const { us } = synthesize().templates;
  const aliases = Object.values(resourcesOf(us, 'AWS::Lambda::Alias'));
  expect(aliases.map(({ Properties }) => functionNameOf(us, Properties['FunctionName'])).sort()).toEqual(invokedByTheApi);
  const versions = resourcesOf(us, 'AWS::Lambda::Version');
  for (const { Properties } of aliases) {
    const version = (Properties['FunctionVersion'] as { readonly 'Fn::GetAtt': readonly [string, 'Version'] })['Fn::GetAtt'][0];
    expect(versions[version]?.Properties['FunctionName']).toEqual(Properties['FunctionName']);
  }
});

test('an alias moves at once without gradual', () => {
  const { us } = synthesize().templates;
  expect(Object.values(us.findResources('AWS::Lambda::Alias')).map((alias) => alias['UpdatePolicy'])).toEqual(
    invokedByTheApi.map(() => undefined),
  );
  expect(propertiesOf(us, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
});

describe('gradual deployments', () => {
  const { us } = synthesize(gradualContext).templates;

  test('CodeDeploy moves each alias by a tenth for five minutes', () => {
    const groups = resourcesOf(us, 'AWS::CodeDeploy::DeploymentGroup');
    const used = Object.values(us.findResources('AWS::Lambda::Alias')).map(
      (alias) => alias['UpdatePolicy']?.CodeDeployLambdaAliasUpdate?.DeploymentGroupName?.Ref,
    );
    expect(used.sort()).toEqual(Object.keys(groups).sort());
    expect(used).toHaveLength(invokedByTheApi.length);
    for (const { Properties } of Object.values(groups))
      expect(Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
      });
  });

  test('each deployment goes back if an alarm on errors or latency fires, or cannot be read', () => {
    const alarms = Object.entries(resourcesOf(us, 'AWS::CloudWatch::Alarm')).filter(([, { Properties }]) =>
      String(Properties['AlarmName']).startsWith('BakeryCommerce-us-deployment-'),
    );
    expect(alarms.map(([, { Properties }]) => String(Properties['MetricName'] ?? 'Errors')).sort()).toEqual([
      'ApiInternalErrors',
      'CheckoutPageInternalErrors',
      'Errors',
      'IntegrationLatency',
    ]);
    const names = alarms.map(([id]) => ({ Name: { Ref: id } }));
    for (const group of propertiesOf(us, 'AWS::CodeDeploy::DeploymentGroup')) {
      expect(group['AlarmConfiguration']).toEqual({ Enabled: true, Alarms: names });
      expect(group['AutoRollbackConfiguration']).toEqual({ Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] });
    }
  });

  test("gradual counts errors of the API's functions only, and latency above what nine tenths can hide", () => {
    const alarmOf = (id: string) =>
      theOnly(us, 'AWS::CloudWatch::Alarm', ({ AlarmName }) => AlarmName === `BakeryCommerce-us-deployment-${id}`);
    const metrics = alarmOf('function-errors')['Metrics'] as {
      readonly MetricStat?: { readonly Metric: { readonly Dimensions: readonly { readonly Value: unknown }[] } };
    }[];
    const counted = metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions.map(({ Value }) => functionNameOf(us, Value)) ?? []);
    expect(counted.sort()).toEqual(invokedByTheApi);
    expect(Number(String(alarmOf('latency')['ExtendedStatistic']).slice(1))).toBeGreaterThan(90);
  });

  test('an alarm that watches a deployment reacts within the five minutes and pages no one', () => {
    const alarms = propertiesOf(us, 'AWS::CloudWatch::Alarm').filter(({ AlarmName }) => String(AlarmName).includes('-deployment-'));
    for (const { Period = 60, EvaluationPeriods, AlarmActions } of alarms) {
      expect(Number(Period) * Number(EvaluationPeriods)).toBeLessThan(300);
      expect(AlarmActions).toBeUndefined();
    }
  });
});
