import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { type FunctionName, functionNames, specOf } from '../../lib/functions.ts';
import { type Kind, kinds } from '../../shared/table/schema.ts';
import { rightsContext } from './contexts.ts';
import { allows, allowsCall, rightsOf, type Statement, statementsOf } from './iam.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

let template: Template;
let table: string;
let rights: Record<FunctionName, Statement[]>;
beforeAll(() => {
  template = synthesize(rightsContext).templates.us;
  const id = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).find((name) => name.startsWith('DataTable'));
  table = `<${id}.Arn>`;
  rights = Object.fromEntries(functionNames.map((name) => [name, statementsOf(template, name)])) as Record<FunctionName, Statement[]>;
});

const reads = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'ConditionCheckItem', 'PartiQLSelect', 'ExportTableToPointInTime'];
const writes = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'];
const resources = () => [table, ...Array.from({ length: 12 }, (_, i) => `${table}/index/gsi${i + 1}`)];

const may = (name: FunctionName, actions: readonly string[], kind: Kind): boolean =>
  resources().some((resource) =>
    actions.some((action) =>
      allows(rights[name], { action: `dynamodb:${action}`, resource, leadingKeys: [`${kinds[kind].prefix}#acct_1#more`] }),
    ),
  );

const kindsThat = (name: FunctionName, actions: readonly string[]): Kind[] =>
  (Object.keys(kinds) as Kind[]).filter((kind) => may(name, actions, kind)).sort();

describe('rights on kinds of record', () => {
  test('deliver reads records of deliveries and no record of the bakery', () => {
    expect(kindsThat('deliver', reads)).toEqual(['deliveryRecord', 'endpoint', 'erasure', 'event']);
    expect(kindsThat('deliver', writes)).toEqual(['deliveryRecord', 'endpoint']);
  });

  test('fan-out writes events and delivery records only', () => {
    expect(kindsThat('fan-out', writes)).toEqual(['deliveryRecord', 'event']);
  });

  test('reference data reads settings and no other record of the bakery, and writes only a key’s last use', () => {
    expect(kindsThat('reference', reads)).toEqual(['account', 'apiKey', 'settings']);
    expect(kindsThat('reference', writes)).toEqual(['keyUse']);
  });

  test('API functions write no accounts and no keys', () => {
    for (const name of ['expenses', 'reference', 'webhooks'] as const) {
      expect([name, may(name, writes, 'account'), may(name, writes, 'apiKey')]).toEqual([name, false, false]);
    }
  });

  test('expenses and webhooks cannot reach each other’s records', () => {
    expect(may('webhooks', [...reads, ...writes], 'expense')).toBe(false);
    for (const kind of ['endpoint', 'endpointRegistry', 'deliveryRecord', 'event'] as const)
      expect([kind, may('expenses', [...reads, ...writes], kind)]).toEqual([kind, false]);
  });

  test('the fallback reads nothing', () => {
    expect(kindsThat('fallback', [...reads, ...writes])).toEqual([]);
  });
});

describe.each(functionNames)('%s', (name) => {
  test(`${name} names each DynamoDB action without wildcards`, () => {
    const actions = rights[name].flatMap(({ Action }) => Action).filter((action) => action.startsWith('dynamodb:'));
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });

  test(`${name} can access items only by a partition key of its kinds`, () => {
    for (const action of [...reads, ...writes].map((verb) => `dynamodb:${verb}`)) {
      for (const resource of resources()) {
        expect(allows(rights[name], { action, resource, leadingKeys: undefined })).toBe(false);
        expect(allows(rights[name], { action, resource, leadingKeys: ['other#acct_1'] })).toBe(false);
        // One foreign key rejects a request with many keys.
        expect(allows(rights[name], { action, resource, leadingKeys: ['exp#acct_1', 'key#a', 'whe#acct_1', 'other#x'] })).toBe(false);
      }
    }
  });

  test(`${name} has exactly the rights on the table in its row, by action, index and kind`, () => {
    const granted = specOf(name).table.flatMap(({ kinds: ofGrant, actions, indexes = [undefined] }) =>
      actions.flatMap((action) =>
        indexes.flatMap((index) => ofGrant.map((kind) => `${action} ${kind} ${index ? `${table}/index/${index}` : table}`)),
      ),
    );
    const allowed = [...reads, ...writes].flatMap((action) =>
      resources().flatMap((resource) =>
        (Object.keys(kinds) as Kind[])
          .filter((kind) =>
            allows(rights[name], { action: `dynamodb:${action}`, resource, leadingKeys: [`${kinds[kind].prefix}#acct_1#more`] }),
          )
          .map((kind) => `${action} ${kind} ${resource}`),
      ),
    );
    expect(allowed.sort()).toEqual([...new Set(granted)].sort());
  });

  test(`${name} may use all kinds of an action in one transaction or batch, if IAM checks keys one by one or as one set`, () => {
    for (const action of [...reads, ...writes].map((verb) => `dynamodb:${verb}`)) {
      const parts = (Object.keys(kinds) as Kind[])
        .map((kind) => ({ action, resource: table, leadingKeys: [`${kinds[kind].prefix}#acct_1#more`] }))
        .filter((part) => allows(rights[name], part));
      expect([action, parts.length, allowsCall(rights[name], parts)]).toEqual([action, parts.length, true]);
      // With an additional kind the call is rejected under both interpretations.
      const foreign = { action, resource: table, leadingKeys: ['other#acct_1'] };
      expect([action, allowsCall(rights[name], [...parts, foreign])]).toEqual([action, false]);
    }
  });

  test(`${name} has wildcard resources only for X-Ray, log queries, parked objects, schedules and secrets`, () => {
    const wild = rights[name].filter(({ Resource }) => Resource.some((resource) => resource.includes('*')));
    for (const { Action, Resource } of wild) {
      expect([Action, Resource]).toEqual([
        Action,
        Resource.map(() =>
          expect.stringMatching(
            /^(\*|<ParkingLotBucket\w+\.Arn>\/\*|arn:aws:scheduler:us-east-1:<AWS::AccountId>:schedule\/BakeryCommerce-us-deliveries\/\*|arn:aws:logs:us-east-1:<AWS::AccountId>:log-group:\/aws\/lambda\/BakeryCommerce-us-api:\*|arn:aws:ssm:us-east-1:<AWS::AccountId>:parameter\/BakeryCommerce-us\/\*\/(search|stripe)\/\*)$/,
          ),
        ),
      ]);
      const traces = ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'];
      const searches = name === 'actions' ? ['logs:GetQueryResults', 'logs:StopQuery'] : [];
      if (Resource[0] === '*') expect([name, [...Action].sort()]).toEqual([name, [...searches, ...traces]]);
    }
  });

  test(`${name} may use the data key only through DynamoDB or S3`, () => {
    for (const { Action, Condition } of rights[name].filter((statement) => statement.Action.some((action) => action.startsWith('kms:')))) {
      expect([Action, Object.keys(Condition['StringEquals'] ?? {})]).toEqual([Action, ['kms:ViaService']]);
    }
  });
});

test('tracing and a customer-managed key add only their own rights', () => {
  const plain = synthesize().templates.us;
  const isExtra = (action: string): boolean => /^(kms|xray):/.test(action);
  expect(functionNames.flatMap((name) => rightsOf(rights[name])).filter(isExtra)).not.toEqual([]);
  for (const name of functionNames) {
    const without = rights[name]
      .map((statement) => ({ ...statement, Action: statement.Action.filter((action) => !isExtra(action)) }))
      .filter(({ Action }) => Action.length > 0);
    expect([name, statementsOf(plain, name)]).toEqual([name, without]);
  }
});

test('functions that write to the table have all rights that DynamoDB requires for a customer-managed key', () => {
  const { Action } = rights.orders.find((statement) => statement.Action.includes('kms:Encrypt')) ?? {};
  expect([...(Action ?? [])].sort()).toEqual([
    'kms:Decrypt',
    'kms:DescribeKey',
    'kms:Encrypt',
    'kms:GenerateDataKey',
    'kms:GenerateDataKeyWithoutPlaintext',
    'kms:ReEncryptFrom',
    'kms:ReEncryptTo',
  ]);
});

test('deliver may pass one role, to Scheduler, and create schedules in one group', () => {
  const actions = rights.deliver.flatMap(({ Action }) => Action);
  expect(actions.filter((action) => action.startsWith('scheduler:'))).toEqual(['scheduler:CreateSchedule']);
  expect(rights.deliver.filter(({ Action }) => Action.includes('iam:PassRole'))).toEqual([
    {
      Effect: 'Allow',
      Action: ['iam:PassRole'],
      Resource: [expect.stringMatching(/^<DeliveryQueueSchedulerRole\w+\.Arn>$/)],
      Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  ]);
});

test('functions can only update rate buckets', () => {
  for (const name of functionNames) {
    const onBuckets = rights[name].filter(({ Resource }) => Resource.some((resource) => resource.includes('DataBuckets')));
    expect([name, onBuckets.flatMap(({ Action }) => Action).filter((action) => action !== 'dynamodb:UpdateItem')]).toEqual([name, []]);
  }
});

test('only the checkout page and the actions, for refunds and search.reindex, read Stripe keys, and these and search read search keys', () => {
  const secretPaths = functionNames.flatMap((name) =>
    rights[name]
      .filter(({ Action }) => Action.includes('ssm:GetParameters'))
      .map(({ Resource }) => [name, Resource.map((resource) => resource.replace(/^.*:parameter/, ''))]),
  );
  expect(secretPaths).toEqual([
    ['products', ['/BakeryCommerce-us/*/search/*']],
    ['checkout-page', ['/BakeryCommerce-us/*/stripe/*']],
    ['actions', ['/BakeryCommerce-us/*/search/*', '/BakeryCommerce-us/*/stripe/*']],
    ['search-sync', ['/BakeryCommerce-us/*/search/*']],
  ]);
});
