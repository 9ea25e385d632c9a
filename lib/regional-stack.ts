import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type App, CfnOutput, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { environment } from '../shared/core/config.ts';
import { createAlarms } from './constructs/alarms.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { createDashboardActions } from './constructs/dashboard-actions.ts';
import { createDataTables, createSecondCopy } from './constructs/data-table.ts';
import { createDeadLetterQueue, createDeliveryQueue } from './constructs/delivery-queue.ts';
import { createEventPipeline } from './constructs/event-pipeline.ts';
import { createCustomDomain, createHttpApi } from './constructs/http-api.ts';
import { createMetricFilters } from './constructs/metrics.ts';
import { createParkingLot } from './constructs/parking-lot.ts';
import { createSearchQueue, createSearchSync } from './constructs/search-sync.ts';
import { type CodeProvider, createServiceFunction, type FunctionContext, openLogGroups } from './constructs/service-function.ts';
import { concurrencyOf } from './event-sources.ts';
import { type GroupName, groupNames, groups, pages } from './groups.ts';
import { type RegionSettings, readRegionSettings } from './regions.ts';

/** One region of the service, whole: nothing in it refers to another. */
const createRegionalStack = (app: App, settings: RegionSettings, code: CodeProvider): Stack => {
  const { region, awsRegion, stackName, customDomain, alarmReceivers, reservedConcurrency, secretsPrefix } = settings;
  const stack = new Stack(app, stackName, {
    description: `Bakery commerce service, region ${region}`,
    env: { region: awsRegion },
  });

  const data = createDataTables(stack, settings);
  const delivery = createDeliveryQueue(stack);
  const search = createSearchQueue(stack);
  const parking = createParkingLot(stack, data.key);
  const sweepFailures = createDeadLetterQueue(stack, 'SweepFailures');
  const functionLogs = openLogGroups(stack, settings.logRetentionDays);

  const context: FunctionContext = {
    code,
    data,
    reservedConcurrency,
    logGroups: functionLogs,
    tracing: settings.tracing,
    environment: {
      [environment.region]: region,
      [environment.table]: data.table.tableName,
      [environment.bucketsTable]: data.buckets.tableName,
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
    },
  };
  const concurrency = concurrencyOf(settings.deliverConcurrency);
  const pipeline = createEventPipeline(
    stack,
    context,
    { ...concurrency, batchDeliveries: settings.batchDeliveries },
    delivery,
    search,
    parking,
    sweepFailures,
  );
  const searchSync = createSearchSync(stack, context, concurrency, search);
  const actions = createDashboardActions(stack, context, { delivery, search, sweepFailures, parking }, pipeline.fanOut);
  const checkoutPage = createServiceFunction(stack, 'checkout-page', context);
  const fallback = createServiceFunction(stack, 'fallback', context);
  const handlers = Object.fromEntries(groupNames.map((name) => [name, createServiceFunction(stack, name, context)])) as Record<
    GroupName,
    LambdaFunction
  >;
  const api = createHttpApi(
    stack,
    groupNames.map((name) => ({ routes: groups[name], handler: handlers[name] })),
    [{ routes: pages['checkout-page'], handler: checkoutPage }],
    fallback,
    settings,
  );
  if (customDomain) createCustomDomain(stack, customDomain, api);
  if (settings.backupVaultArn) createSecondCopy(stack, data.table, settings.backupVaultArn);
  const { fanOut, deliver, sweep } = pipeline;
  const logGroups = functionLogs.all();
  const watched = {
    ...data,
    api,
    delivery,
    search,
    parking,
    pipeline,
    sweepFailures,
    logGroups,
    functions: {
      ...handlers,
      'checkout-page': checkoutPage,
      fallback,
      actions,
      'fan-out': fanOut,
      deliver,
      'search-sync': searchSync,
      sweep,
    },
  };
  createMetricFilters(stack, logGroups);
  const alarms = createAlarms(stack, watched, alarmReceivers);
  if (settings.dashboard) createDashboard(stack, watched, alarms, settings.routeMetrics);

  const outputs = {
    ApiUrl: customDomain ? `https://${customDomain.hostname}` : api.api.apiEndpoint,
    ActionsFunctionName: actions.functionName,
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
};

/** One stack per service region, checked against the AWS Solutions rules when synthesized. */
export const createStacks = (app: App, code: CodeProvider): readonly Stack[] => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return readRegionSettings(app.node).map((settings) => createRegionalStack(app, settings, code));
};
