import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { configurationKeys } from '../../lib/configuration.ts';
import { secondCopy } from '../../lib/constructs/data-table.ts';
import type { Region } from '../../shared/core/regions.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { hoursAMonth, perMillion, prices } from '../costs/prices.ts';
import { atRestMonth } from '../costs/volumes.ts';
import { useDelivery } from '../support/delivery.ts';
import { readPage } from '../support/marked-tables.ts';
import { createMeter, deployedFilters } from '../support/metric-filters.ts';
import { copiesContext, fullContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { type Resource, synthesize } from './synthesize.ts';

const minutesAMonth = hoursAMonth * 60;

/** Lambda asks an empty queue by five long polls of 20 s, side by side. */
const emptyPollsAMonth = 5 * 3 * minutesAMonth;

/**
 * A run of what a schedule starts, far longer than it takes: a second of 256 MB, a read unit for
 * each shard of what is due, and the heartbeat with what it starts, a tenth of a second of 512 MB.
 */
const runOfSchedule =
  perMillion(prices.requestMillion.scheduler + 2 * prices.requestMillion.lambda, 1) +
  (0.25 + 0.5 / 10) * prices.lambdaGbSecond +
  perMillion(prices.requestMillion.readUnit, dueShards) +
  perMillion(prices.requestMillion.writeUnit, 1);

const alarm = ({ Metrics }: Resource['Properties']): number =>
  prices.alarmMetricMonth * (Array.isArray(Metrics) ? Metrics.filter((one) => 'MetricStat' in one).length : 1);

const mapping = ({ EventSourceArn }: Resource['Properties']): number =>
  /Queue\w*\.Arn>$/.test(flatten(EventSourceArn)) ? perMillion(prices.requestMillion.sqs, emptyPollsAMonth) : 0;

const schedule = ({ ScheduleExpression }: Resource['Properties']): number => {
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(String(ScheduleExpression)) ?? [];
  if (minutes === undefined) throw new Error(`Not understood: ${ScheduleExpression}`);
  return (minutesAMonth / Number(minutes)) * runOfSchedule;
};

/**
 * Paid for by request, by gigabyte or not at all: nothing at rest. Domains cost with their hosted
 * zone, which no stack makes.
 */
const free = 0;

/** Cost of a month of each type of resource at rest. A missing type is an unknown cost. */
const monthly: Readonly<Record<string, number | ((properties: Resource['Properties']) => number)>> = {
  'AWS::CloudWatch::Alarm': alarm,
  'AWS::CloudWatch::Dashboard': prices.dashboardMonth,
  'AWS::KMS::Key': prices.keyMonth,
  'AWS::Lambda::EventSourceMapping': mapping,
  'AWS::Scheduler::Schedule': schedule,
  'AWS::ApiGatewayV2::Api': free,
  'AWS::ApiGatewayV2::ApiMapping': free,
  'AWS::ApiGatewayV2::DomainName': free,
  'AWS::ApiGatewayV2::Integration': free,
  'AWS::ApiGatewayV2::Route': free,
  'AWS::ApiGatewayV2::Stage': free,
  'AWS::Backup::BackupPlan': free,
  'AWS::Backup::BackupSelection': free,
  'AWS::Backup::BackupVault': free,
  'AWS::CertificateManager::Certificate': free,
  'AWS::DynamoDB::Table': free,
  'AWS::IAM::Policy': free,
  'AWS::IAM::Role': free,
  'AWS::Lambda::EventInvokeConfig': free,
  'AWS::Lambda::Function': free,
  'AWS::Lambda::Permission': free,
  'AWS::Logs::LogGroup': free,
  // Its metric is paid for while it has data: see the lines of an idle region below.
  'AWS::Logs::MetricFilter': free,
  'AWS::Route53::RecordSet': free,
  'AWS::S3::Bucket': free,
  'AWS::S3::BucketPolicy': free,
  'AWS::SNS::Subscription': free,
  'AWS::SNS::Topic': free,
  'AWS::SNS::TopicPolicy': free,
  'AWS::SQS::Queue': free,
  'AWS::SQS::QueuePolicy': free,
  'AWS::Scheduler::ScheduleGroup': free,
};

const monthOf = (template: Template): number =>
  Object.values((template.toJSON() as { Resources: Record<string, Resource> }).Resources).reduce((sum, { Type, Properties = {} }) => {
    const price = monthly[Type];
    if (price === undefined) throw new Error(`${Type} has no price`);
    return sum + (typeof price === 'number' ? price : price(Properties));
  }, 0);

const t = useDelivery();

test('a region at rest costs no more than the pages say, the metrics of what it then logs included', async () => {
  const { us } = synthesize().templates;
  const meter = createMeter(deployedFilters(us));
  await t.pipeline.drain();
  t.world.log.length = 0;
  await t.pipeline.sweep();
  await t.pipeline.drain();
  expect(t.world.log.length).toBeGreaterThan(0);
  for (const line of t.world.log) meter.observe(String(line['op']), [line]);
  const month = monthOf(us) + meter.observed.size * prices.customMetricMonth;
  // Less would be a sum that has lost something: twelve alarms and two queues that are asked.
  expect(month).toBeGreaterThan(12 * prices.alarmMetricMonth + 2 * perMillion(prices.requestMillion.sqs, emptyPollsAMonth));
  expect(month).toBeLessThanOrEqual(atRestMonth);
});

/** Returns how much more a month of a region costs with a context than without. */
const added = (context: Readonly<Record<string, unknown>>, region: Region): number =>
  monthOf(synthesize(context).templates[region]) - monthOf(synthesize().templates[region]);

test.each([
  ['dashboard', 'us'],
  ['customerManagedKey', 'au'],
] as const)('%s adds what its row in the configuration says', (key, region) => {
  expect(configurationKeys[key].price).toMatch(new RegExp(`^\\$${Number(added(someContext, region).toFixed(2))} a month`));
});

test.each(['README.md', 'docs/configuration.md', 'docs/decisions/0015-cost-at-rest.md'])('%s says what a region at rest costs', (page) => {
  expect(readPage(page).replaceAll(/\s+/g, ' ')).toContain(`at most $${atRestMonth.toFixed(2)} a month`);
});

test('a second copy adds a key, and the storage that its row in the configuration says', () => {
  const perGb = (secondCopy.backupDays + secondCopy.copyDays) * prices.table.backupGbMonth;
  const price = `$${Number(added(copiesContext, 'au').toFixed(2))} a month, and $${perGb.toFixed(2)} a month for each GB`;
  expect(configurationKeys.backupVaultArn.price).toContain(price);
  expect(readPage('docs/backup-restore.md').replaceAll(/\s+/g, ' ')).toContain(`$${perGb.toFixed(2)} a month for each GB`);
});

test('deletion protection, metrics by route, addresses in logs and tracing add nothing at rest', () => {
  expect(added(someContext, 'eu')).toBe(0);
});

test('every type of resource has a price, also with everything configured', () => {
  expect(monthOf(synthesize(fullContext).templates.us)).toBeGreaterThan(6);
});
