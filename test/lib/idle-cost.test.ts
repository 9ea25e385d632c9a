import { expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { configurationKeys } from '../../lib/configuration.ts';
import { secondCopy } from '../../lib/constructs/data-table.ts';
import type { Region } from '../../shared/core/config.ts';
import { dueShards } from '../../shared/table/schema.ts';
import { hoursAMonth, perMillion, prices } from '../costs/prices.ts';
import { atRestMonth } from '../costs/volumes.ts';
import { useDelivery } from '../support/delivery.ts';
import { readPage } from '../support/marked-tables.ts';
import { createMeter, deployedFilters } from '../support/metric-filters.ts';
import { copiesContext, docsContext, edgeContext, fullContext, gradualContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { type Resource, synthesize, templateOf } from './synthesize.ts';

const minutesAMonth = hoursAMonth * 60;
/** Backups a month; rounded down, as the page states it. */
const daysAMonth = Math.floor(hoursAMonth / 24);

/** Lambda polls an empty queue with five parallel long polls of 20 s. */
const emptyPollsAMonth = 5 * 3 * minutesAMonth;

/** The request of a sweep to the region's own address: a tenth of a second at 256 MB. */
const probe = perMillion(prices.requestMillion.httpApi + prices.requestMillion.lambda, 1) + (0.25 / 10) * prices.lambdaGbSecond;

/**
 * An upper bound for a scheduled run: half a second at 256 MB (the calls of an idle sweep run side
 * by side, and a start takes a third of a second), a read unit for each shard of due
 * deliveries, the heartbeat's write, and the fan-out invocation that it causes (0.1 s at 512 MB).
 */
const runOfSchedule =
  perMillion(prices.requestMillion.scheduler + 2 * prices.requestMillion.lambda, 1) +
  (0.5 * 0.25 + 0.5 / 10) * prices.lambdaGbSecond +
  perMillion(prices.requestMillion.readUnit, dueShards) +
  perMillion(prices.requestMillion.writeUnit, 1) +
  probe;

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
 * No cost at rest: billed by request, by gigabyte, or free. A domain's cost is its hosted zone,
 * which no stack creates.
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
  'AWS::ApiGatewayV2::Authorizer': free,
  'AWS::ApiGatewayV2::DomainName': free,
  'AWS::ApiGatewayV2::Integration': free,
  'AWS::ApiGatewayV2::Route': free,
  'AWS::ApiGatewayV2::Stage': free,
  'AWS::Backup::BackupPlan': free,
  'AWS::Backup::BackupSelection': free,
  'AWS::Backup::BackupVault': free,
  // A budget without actions.
  'AWS::Budgets::Budget': free,
  'AWS::CertificateManager::Certificate': free,
  'AWS::DynamoDB::Table': free,
  'AWS::IAM::Policy': free,
  'AWS::IAM::Role': free,
  'AWS::Events::Rule': free,
  'AWS::CloudFront::Distribution': free,
  'AWS::CloudFront::Function': free,
  'AWS::CloudFront::OriginAccessControl': free,
  'AWS::CloudFront::OriginRequestPolicy': free,
  'AWS::CloudFront::ResponseHeadersPolicy': free,
  'AWS::CodeDeploy::Application': free,
  'AWS::CodeDeploy::DeploymentGroup': free,
  'AWS::Lambda::Alias': free,
  'AWS::Lambda::EventInvokeConfig': free,
  'AWS::Lambda::Function': free,
  'AWS::Lambda::Permission': free,
  'AWS::Lambda::Version': free,
  'AWS::Logs::LogGroup': free,
  // Its metric is billed only while it has data: see the log lines of an idle region below.
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
  'AWS::SecretsManager::Secret': ({ ReplicaRegions = [] }) => prices.secretMonth * (1 + (ReplicaRegions as readonly unknown[]).length),
  // A run of its function at each deployment.
  'Custom::Site': free,
  'AWS::WAFv2::WebACL': ({ Rules }) => prices.webAcl.month + prices.webAcl.ruleMonth * (Rules as readonly unknown[]).length,
};

const monthOf = (template: Template): number =>
  Object.values((template.toJSON() as { Resources: Record<string, Resource> }).Resources).reduce((sum, { Type, Properties = {} }) => {
    const price = monthly[Type];
    if (price === undefined) throw new Error(`${Type} has no price`);
    return sum + (typeof price === 'number' ? price : price(Properties));
  }, 0);

const t = useDelivery();

test('an idle region costs no more than the pages state, including metrics of its log lines', async () => {
  const { us } = synthesize().templates;
  const meter = createMeter(deployedFilters(us));
  await t.pipeline.drain();
  t.world.log.length = 0;
  await t.pipeline.sweep();
  await t.pipeline.drain();
  expect(t.world.log.length).toBeGreaterThan(0);
  for (const line of t.world.log) meter.observe(String(line['op']), [line]);
  const month = monthOf(us) + meter.observed.size * prices.customMetricMonth;
  // A smaller sum would miss something: twelve alarms and two polled queues.
  expect(month).toBeGreaterThan(12 * prices.alarmMetricMonth + 2 * perMillion(prices.requestMillion.sqs, emptyPollsAMonth));
  expect(month).toBeLessThanOrEqual(atRestMonth);
});

/** Returns how much more a month of a region costs with a context than without. */
const added = (context: Readonly<Record<string, unknown>>, region: Region): number =>
  monthOf(synthesize(context).templates[region]) - monthOf(synthesize().templates[region]);

test('the check from outside costs its alarm and its metric, as its row of the configuration page says', () => {
  const { price } = configurationKeys.outsideChecks;
  expect(price).toBe(`$${(prices.alarmMetricMonth + prices.customMetricMonth).toFixed(2)} a month`);
});

test.each([
  ['dashboard', 'us'],
  ['customerManagedKey', 'au'],
] as const)('%s adds the cost in its row of the configuration page', (key, region) => {
  expect(configurationKeys[key].price).toMatch(new RegExp(`^\\$${Number(added(someContext, region).toFixed(2))} a month`));
});

test.each(['docs/deploy.md', 'docs/configuration.md', 'docs/decisions/0015-cost-at-rest.md'])(
  '%s states the cost of an idle region',
  (page) => {
    expect(readPage(page).replaceAll(/\s+/g, ' ')).toContain(`at most $${atRestMonth.toFixed(2)} a month`);
  },
);

test('a second copy adds a key and the storage in its row of the configuration page', () => {
  const perGb = (secondCopy.backupDays + secondCopy.copyDays) * prices.table.backupGbMonth;
  const price = `$${Number(added(copiesContext, 'au').toFixed(2))} a month, and $${perGb.toFixed(2)} a month for each GB`;
  const transfer = (daysAMonth * prices.table.backupTransferGb).toFixed(2);
  expect(configurationKeys.backupVaultArn.price).toBe(
    `${price} of the table without its indexes; $${transfer} more for each GB if the vault is in another AWS region`,
  );
  expect(readPage('docs/backup-restore.md').replaceAll(/\s+/g, ' ')).toContain(`$${transfer} a month for each GB`);
  expect(readPage('docs/backup-restore.md').replaceAll(/\s+/g, ' ')).toContain(`$${perGb.toFixed(2)} a month for each GB`);
});

test('gradual adds the cost in its row of the configuration page', () => {
  expect(configurationKeys.gradual.price).toBe(`$${added(gradualContext, 'us').toFixed(2)} a month`);
});

test('an edge adds the cost in its row of the configuration page', () => {
  const month = added(edgeContext, 'eu') + monthOf(templateOf(synthesize(edgeContext).stacks, 'BakeryCommerce-eu-edge'));
  const million = prices.requestMillion.waf + prices.requestMillion.cloudFront;
  const near = (month - prices.secretMonth).toFixed(2);
  expect(configurationKeys.edge.price).toBe(
    `$${month.toFixed(2)} a month, or $${near} in us-east-1; $${million.toFixed(2)} per million requests`,
  );
});

test('the docs cost nothing at rest, and at most the price in their row of the configuration page for requests', () => {
  expect(monthOf(templateOf(synthesize(docsContext).stacks, 'BakeryCommerce-docs'))).toBe(0);
  // CloudFront reads an object from the bucket at most once for each request.
  const { cloudFront, cloudFrontFunction, s3Read } = prices.requestMillion;
  expect(configurationKeys.docs.price).toBe(`at most $${(cloudFront + cloudFrontFunction + s3Read).toFixed(2)} per million requests`);
});

test('deletion protection, metrics by route, addresses in logs and tracing add no cost at rest', () => {
  expect(added(someContext, 'eu')).toBe(0);
});

test('every resource type has a price, with all options configured too', () => {
  expect(monthOf(synthesize(fullContext).templates.us)).toBeGreaterThan(6);
});
