import { Alarm, ComparisonOperator, type IMetric, MathExpression, Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type AlarmId, type AlarmOption, alarmSpecs, sectionOf, type Urgency } from '../alarms.ts';
import type { FunctionName } from '../functions.ts';
import type { MetricName } from '../metrics.ts';
import type { AlarmReceivers } from '../regions.ts';
import type { ServedTable } from './data-table.ts';
import type { ServiceApi } from './http-api.ts';
import { createThreeAtATime, serviceMetric } from './metrics.ts';
import type { Queues } from './queues.ts';
import type { LogGroups } from './service-function.ts';
import { createMailTopic, createRuleToTopics, eventBridge } from './topic.ts';

/** Resources that the alarms and the dashboard use. */
export interface Watched extends Queues {
  readonly table: ServedTable;
  readonly buckets: Table;
  readonly api: ServiceApi;
  readonly functions: Readonly<Record<FunctionName, LambdaFunction>>;
  readonly logGroups: LogGroups;
}

const period = Duration.minutes(5);
const sum = { period, statistic: Stats.SUM };
const maximum = { period, statistic: Stats.MAXIMUM };

const waiting = (queue: Queue): IMetric => queue.metricApproximateNumberOfMessagesVisible(maximum);
const counted = (here: Construct, name: MetricName): IMetric => serviceMetric(here, name, sum);

/** Returns the number of requests that the table or one of its indexes throttled. */
const throttledRequests = ({ tableName: TableName }: ServedTable, Operation: string): IMetric =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName: 'ThrottledRequests', dimensionsMap: { TableName, Operation }, ...sum });

const oldest = (queue: Queue): IMetric => queue.metricApproximateAgeOfOldestMessage(maximum);

/**
 * Returns a metric without dimensions: the sum over all functions of the account in the AWS region.
 */
const ofAllFunctions = (metricName: string): IMetric => new Metric({ namespace: 'AWS/Lambda', metricName, ...sum });

/**
 * Returns the number of requests with a 5xx that no function logged: the gateway could not invoke a
 * function, or the function did not start or was killed. Without log lines the second metric has no
 * data, which counts as 0.
 */
const unlogged = (here: Construct, { stage }: ServiceApi): IMetric =>
  new MathExpression({
    expression: 'responses - FILL(logged, 0)',
    usingMetrics: { responses: stage.metricServerError(sum), logged: counted(here, 'ServerErrorsLogged') },
    period,
  });

const metricsOf = (
  here: Construct,
  { table, buckets, api, delivery, search, parking, functions, sweepFailures }: Watched,
): Readonly<Record<AlarmId, IMetric>> => ({
  'delivery-dead-letters': waiting(delivery.deadLetters),
  'search-dead-letters': waiting(search.deadLetters),
  'sweep-dead-letters': waiting(sweepFailures),
  'records-parked': waiting(parking.notices),
  'fan-out-iterator-age': functions['fan-out'].metric('IteratorAge', maximum),
  // Every sweep's heartbeat invokes fan-out, so this metric always has data. Lambda publishes it
  // for free.
  'fan-out-missing': functions['fan-out'].metricInvocations({ period }),
  'delivery-queue-age': oldest(delivery.queue),
  'search-queue-age': oldest(search.queue),
  'schedules-failing': delivery.scheduleGroup.metricTargetErrors(sum),
  'sweep-missing': functions.sweep.metricInvocations({ period }),
  'api-unreachable': counted(here, 'Unreachable'),
  'outside-check-missing': counted(here, 'ChecksPassed'),
  'checkout-page-internal-errors': counted(here, 'CheckoutPageInternalErrors'),
  'checkout-payment-without-order': counted(here, 'CheckoutPaymentsWithoutOrder'),
  'gateway-fees-unbooked': counted(here, 'GatewayFeesUnbooked'),
  'actions-internal-errors': counted(here, 'ActionInternalErrors'),
  'api-5xx': counted(here, 'ApiInternalErrors'),
  'gateway-5xx': unlogged(here, api),
  // An alarm costs by the metric, also on a sum, so this is one metric. The runbook says how to
  // find the function.
  'function-errors': ofAllFunctions('Errors'),
  // All functions share the concurrency.
  'function-throttles': ofAllFunctions('Throttles'),
  'table-read-throttles': table.metric('ReadThrottleEvents', sum),
  'table-put-throttles': throttledRequests(table, 'PutItem'),
  'table-update-throttles': throttledRequests(table, 'UpdateItem'),
  'table-transaction-throttles': throttledRequests(table, 'TransactWriteItems'),
  'bucket-throttles': buckets.metric('WriteThrottleEvents', sum),
});

/**
 * Returns the topics of an urgency: of an address all, of existing topics the one that the
 * configuration page names.
 */
const topicsOf = (
  here: Construct,
  { email, topicArn, laterTopicArn }: AlarmReceivers,
  services: readonly string[],
): ((urgency: Urgency) => readonly ITopic[]) => {
  const own = email === undefined ? [] : [createMailTopic(here, email, ...services)];
  const existing = (id: string, arn: string | undefined) => (arn === undefined ? [] : [Topic.fromTopicArn(here, id, arn)]);
  const first = existing('ExistingTopic', topicArn);
  const later = existing('LaterTopic', laterTopicArn);
  return (urgency) => [...own, ...(urgency === 'Workday' && later.length > 0 ? later : first)];
};

/**
 * Tells the receivers of alarms that a backup of the table, or its copy into another AWS account, was not
 * made. CloudWatch has no metric for the copies of one table.
 * https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html
 */
const createCopyRule = (scope: Construct, { tableArn }: ServedTable, topics: readonly ITopic[]): void => {
  if (topics.length === 0) return;
  createRuleToTopics(
    new Construct(scope, 'SecondCopy'),
    topics.map(({ topicArn }) => topicArn),
    {
      description: 'Backups of the data table, or copies of them, that failed',
      eventPattern: {
        source: ['aws.backup'],
        'detail-type': ['Backup Job State Change', 'Copy Job State Change'],
        detail: { resourceArn: [tableArn], state: ['ABORTED', 'EXPIRED', 'FAILED', 'PARTIAL'] },
      },
      paths: { type: '$.detail-type', id: '$.id', state: '$.detail.state' },
      id: '<id>',
      title: `Workday: ${Stack.of(scope).stackName} has no new second copy`,
      text: '<type>: <state>. docs/backup-restore.md#a-copy-failed',
    },
  );
};

/** Creates the alarms of a region. Their receivers learn when an alarm fires and when it ends. */
export const createAlarms = (
  scope: Construct,
  watched: Watched,
  receivers: AlarmReceivers,
  options: Readonly<Record<AlarmOption, boolean>>,
  copiedTable?: ServedTable,
): readonly Alarm[] => {
  const here = new Construct(scope, 'Alarms');
  const topicsFor = topicsOf(here, receivers, ['cloudwatch.amazonaws.com', ...(copiedTable ? [eventBridge] : [])]);
  if (copiedTable) createCopyRule(here, copiedTable, topicsFor('Workday'));
  const enabled = Object.entries(metricsOf(here, watched)).filter(([id]) => {
    const { option } = alarmSpecs[id as AlarmId];
    return option === undefined || options[option];
  });
  const alarms = enabled.map(([id, metric]) => {
    const { urgency, description, threshold = 1, when, periods = 1, outOfThem } = alarmSpecs[id as AlarmId];
    const alarm = new Alarm(here, id, {
      alarmName: `${Stack.of(scope).stackName}-${id}`,
      alarmDescription: `${urgency}: ${description} docs/runbook.md#${sectionOf(id as AlarmId)}`,
      metric,
      threshold,
      evaluationPeriods: periods,
      ...(outOfThem !== undefined && { datapointsToAlarm: outOfThem }),
      comparisonOperator: when === 'below' ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: when === 'below' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const actions = topicsFor(urgency).map((topic) => new SnsAction(topic));
    alarm.addAlarmAction(...actions);
    alarm.addOkAction(...actions);
    return alarm;
  });
  createThreeAtATime(alarms);
  return alarms;
};
