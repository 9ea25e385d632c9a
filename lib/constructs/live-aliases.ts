import type { HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, type IMetric, MathExpression, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type GroupName, groupNames } from '../../functions/groups.ts';
import type { FunctionName } from '../functions.ts';
import { acknowledge } from '../permissions.ts';
import { createThreeAtATime, serviceMetric } from './metrics.ts';

/** Functions that the API invokes. */
export type LiveName = GroupName | 'checkout-page' | 'fallback';

export type LiveAliases = Readonly<Record<LiveName, Alias>>;

const liveNames: readonly LiveName[] = [...groupNames, 'checkout-page', 'fallback'];

/**
 * Creates an alias of each function that the API invokes. The API invokes the alias, so that a
 * deployment can move requests to a new version step by step.
 */
export const createLiveAliases = (functions: Readonly<Record<FunctionName, LambdaFunction>>): LiveAliases =>
  Object.fromEntries(liveNames.map((name) => [name, functions[name].addAlias('live')])) as Record<LiveName, Alias>;

const period = Duration.minutes(1);
const everyMinute = { period, statistic: Stats.SUM };

/** Returns the errors of the functions that the API invokes, in all versions. */
const errorsOf = (aliases: LiveAliases): IMetric => {
  const metrics = Object.values(aliases).map(({ lambda }, i) => [`m${i}`, lambda.metricErrors(everyMinute)] as const);
  return new MathExpression({ expression: 'SUM(METRICS())', usingMetrics: Object.fromEntries(metrics), period });
};

interface Condition {
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of consecutive minutes. */
  readonly minutes: number;
}

/**
 * The alarms that stop a new version. A version that does not start writes no log line: `Errors` of
 * the functions count it. A new version gets a tenth of the requests, so that the 95th percentile
 * shows if it is slow.
 */
const conditionsOf = (here: Construct, aliases: LiveAliases, stage: HttpStage): Readonly<Record<string, Condition>> => ({
  'api-errors': { metric: serviceMetric(here, 'ApiInternalErrors', everyMinute), threshold: 1, minutes: 1 },
  'checkout-page-errors': { metric: serviceMetric(here, 'CheckoutPageInternalErrors', everyMinute), threshold: 1, minutes: 1 },
  'function-errors': { metric: errorsOf(aliases), threshold: 1, minutes: 1 },
  latency: { metric: stage.metricIntegrationLatency({ period, statistic: Stats.percentile(95) }), threshold: 2_000, minutes: 3 },
});

/**
 * Lets CodeDeploy move a tenth of the requests to a new version, and the rest after five minutes. If
 * an alarm fires meanwhile, all requests go back to the old version, and the deployment of the stack
 * fails and is undone. These alarms notify no one: they only stop a deployment.
 */
export const createGradualDeployment = (scope: Construct, aliases: LiveAliases, stage: HttpStage, otherAlarms: readonly Alarm[]): void => {
  const here = new Construct(scope, 'Gradual');
  const { stackName } = Stack.of(scope);
  const alarms = Object.entries(conditionsOf(here, aliases, stage)).map(
    ([id, { metric, threshold, minutes }]) =>
      new Alarm(here, id, {
        alarmName: `${stackName}-deployment-${id}`,
        alarmDescription: 'Stops a deployment that is under way. docs/upgrades.md#roll-out-gradually',
        metric,
        threshold,
        evaluationPeriods: minutes,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      }),
  );
  createThreeAtATime([...otherAlarms.slice(-3), ...alarms]);
  const application = new LambdaApplication(here, 'Application', { applicationName: stackName });
  const role = new Role(here, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
  for (const [name, alias] of Object.entries(aliases))
    new LambdaDeploymentGroup(here, name, {
      application,
      deploymentGroupName: name,
      alias,
      role,
      alarms,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    });
  acknowledge(role, {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]':
      'AWS maintains the rights of CodeDeploy on aliases and alarms; a deployment group always gets this policy.',
  });
};
