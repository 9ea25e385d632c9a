import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Annotations, type App, CfnOutput, Lazy, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { concurrencyFor } from '../functions/event-sources.ts';
import { type GroupName, groupNames, groups, pages } from '../functions/groups.ts';
import { environment } from '../shared/core/config.ts';
import { createAlarms } from './constructs/alarms.ts';
import { createBudget } from './constructs/budget.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { createDashboardActions } from './constructs/dashboard-actions.ts';
import { createDataTables, createSecondCopy, type DataTables } from './constructs/data-table.ts';
import { createEventPipeline } from './constructs/event-pipeline.ts';
import { createCustomDomain, createHttpApi } from './constructs/http-api.ts';
import { createGradualDeployment, createLiveAliases } from './constructs/live-aliases.ts';
import { createMetricFilters } from './constructs/metrics.ts';
import { createNoticeRule } from './constructs/notice-rule.ts';
import { createQueues, type Queues } from './constructs/queues.ts';
import {
  apiLogGroupName,
  type CodeProvider,
  createServiceFunction,
  type FunctionContext,
  openLogGroups,
} from './constructs/service-function.ts';
import { readDocsSettings } from './docs/settings.ts';
import { createDocsStack, type DocsCodeProvider } from './docs/stack.ts';
import { createEdgeAuthorizer } from './edge/authorizer.ts';
import { createEdgeStack, edgeOutputs } from './edge/stack.ts';
import type { FunctionName } from './functions.ts';
import { boundaryArn, createGithubStack, readRepository } from './github/stack.ts';
import { type RegionSettings, readRegionSettings } from './regions.ts';

/**
 * Creates a stack per service region, one for each edge, those of the docs, and the stack for GitHub if a
 * repository deploys. Synthesis checks them against the AWS Solutions rules.
 */
export function createStacks(app: App, code: CodeProvider, docsCode: DocsCodeProvider): readonly Stack[] {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const settings = readRegionSettings(app.node);
  const stacks = settings.map((one) => createRegionalStack(app, one, code));
  const edges = settings.flatMap((one, index) => {
    if (!one.edge || !one.customDomain) return [];
    const edge = createEdgeStack(app, one, one.customDomain);
    stacks[index]?.addStackDependency(edge);
    return [edge];
  });
  const docsSettings = readDocsSettings(app.node, settings);
  const docs = docsSettings.map((one) => createDocsStack(app, one, docsCode));
  const repository = readRepository(app.node.getAllContext());
  if (!repository) return [...stacks, ...edges, ...docs];
  for (const stack of [...stacks, ...docs])
    PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', boundaryArn));
  return [...stacks, ...edges, ...docs, createGithubStack(app, repository, settings, docsSettings)];
}

/** Creates the stack of one region. It refers to no other region. */
function createRegionalStack(app: App, settings: RegionSettings, code: CodeProvider): Stack {
  const { region, awsRegion, awsAccount, stackName, customDomain } = settings;
  const stack = new Stack(app, stackName, {
    description: `Bakery commerce service, region ${region}`,
    env: { region: awsRegion, ...(awsAccount !== undefined && { account: awsAccount }) },
  });
  const { email, topicArn } = settings.alarmReceivers;
  // The command prints a stack's warnings if it was asked for that stack.
  if (email === undefined && topicArn === undefined)
    Annotations.of(stack).addWarningV2(
      'BakeryCommerce:alarms',
      'Alarms have no receiver. Set the context key "alarmEmail" or "alarmTopicArn" (docs/configuration.md).',
    );
  const data = createDataTables(stack, settings);
  const queues = createQueues(stack, data.key);
  const logGroups = openLogGroups(stack, settings.logRetentionDays);
  // Known once the API exists, which is created after the functions behind it.
  let publicUrl = '';
  const functions = createFunctions(stack, settings, queues, {
    code,
    data,
    reservedConcurrency: settings.reservedConcurrency,
    logGroups,
    tracing: settings.tracing,
    notices: settings.notices,
    environment: environmentOf(settings, data, queues, Lazy.string({ produce: () => publicUrl })),
  });
  const live = createLiveAliases(functions);
  const edge = settings.edge ? edgeOutputs(settings) : undefined;
  const api = createHttpApi(
    stack,
    groupNames.map((name) => ({ name, routes: groups[name] })),
    [{ name: 'checkout-page', routes: pages['checkout-page'] }],
    live,
    settings,
    edge && createEdgeAuthorizer(stack, edge, settings),
  );
  if (customDomain) {
    // A sweep that asked for the record before it exists would be told so for 15 minutes.
    const record = createCustomDomain(stack, customDomain, api, edge);
    stack.node.findChild('EventPipeline').node.findChild('SweepSchedule').node.addDependency(record);
    // The API rejects callers who come past the edge only once the record leads to the edge.
    if (edge) stack.node.findChild('Api').node.addDependency(record);
  }
  publicUrl = customDomain ? `https://${customDomain.hostname}` : api.api.apiEndpoint;
  if (settings.backupVaultArn) createSecondCopy(stack, data.table, settings.backupVaultArn);
  const watched = { ...data, ...queues, api, functions, logGroups: logGroups.all() };
  createMetricFilters(stack, watched.logGroups);
  const alarms = createAlarms(stack, watched, settings.alarmReceivers, settings, settings.backupVaultArn ? data.table : undefined);
  if (settings.gradual) createGradualDeployment(stack, live, api.stage, alarms);
  if (settings.noticesTo !== undefined) createNoticeRule(stack, settings, settings.noticesTo);
  if (settings.budget !== undefined) createBudget(stack, settings.budget, awsRegion, settings.alarmReceivers);
  if (settings.dashboard) createDashboard(stack, watched, alarms, settings.routeMetrics);
  const { delivery, search, parking, sweepFailures } = queues;
  const outputs = {
    ApiUrl: publicUrl,
    ActionsFunctionName: functions.actions.functionName,
    TableName: data.table.tableName,
    DeliveryQueueUrl: delivery.queue.queueUrl,
    DeliveryDeadLetterQueueUrl: delivery.deadLetters.queueUrl,
    SearchDeadLetterQueueUrl: search.deadLetters.queueUrl,
    SweepFailureQueueUrl: sweepFailures.queueUrl,
    ParkingBucketName: parking.bucket.bucketName,
    ParkingNoticeQueueUrl: parking.notices.queueUrl,
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  return stack;
}

function environmentOf(
  { region, stackName, secretsPrefix }: RegionSettings,
  { table, buckets }: DataTables,
  queues: Queues,
  publicUrl: string,
) {
  const { delivery, search, parking, sweepFailures } = queues;
  return {
    [environment.region]: region,
    [environment.table]: table.tableName,
    [environment.bucketsTable]: buckets.tableName,
    [environment.deliveryQueueUrl]: delivery.queue.queueUrl,
    [environment.deliveryDeadLettersUrl]: delivery.deadLetters.queueUrl,
    [environment.searchQueueUrl]: search.queue.queueUrl,
    [environment.searchDeadLettersUrl]: search.deadLetters.queueUrl,
    [environment.sweepFailuresUrl]: sweepFailures.queueUrl,
    [environment.parkingNoticesUrl]: parking.notices.queueUrl,
    [environment.scheduleGroup]: delivery.scheduleGroup.scheduleGroupName,
    [environment.schedulerRoleArn]: delivery.schedulerRole.roleArn,
    [environment.parkingBucket]: parking.bucket.bucketName,
    [environment.secretsPrefix]: secretsPrefix,
    [environment.notices]: 'true',
    [environment.publicUrl]: publicUrl,
    [environment.apiLogGroup]: apiLogGroupName(stackName),
  };
}

/** Creates every function of the region. Returns them by name. */
function createFunctions(
  stack: Stack,
  { deliverConcurrency, batchDeliveries }: RegionSettings,
  queues: Queues,
  context: FunctionContext,
): Readonly<Record<FunctionName, LambdaFunction>> {
  const sources = { ...concurrencyFor(deliverConcurrency), batchDeliveries };
  const { fanOut, searchSync, ...pipeline } = createEventPipeline(stack, context, sources, queues);
  const create = (name: FunctionName) => createServiceFunction(stack, name, context);
  return {
    'fan-out': fanOut,
    'search-sync': searchSync,
    ...pipeline,
    actions: createDashboardActions(stack, context, queues, { fanOut, sweep: pipeline.sweep }),
    'checkout-page': create('checkout-page'),
    fallback: create('fallback'),
    ...(Object.fromEntries(groupNames.map((name) => [name, create(name)])) as Record<GroupName, LambdaFunction>),
  };
}
