import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { resourcesOf, synthesize } from './synthesize.ts';

test('the stack policy denies the replacement and the deletion of the data table alone, and allows every other update', () => {
  const { Statement } = JSON.parse(readFileSync('lib/stack-policy.json', 'utf8')) as { Statement: object[] };
  const tables = Object.keys(resourcesOf(synthesize().templates.us, 'AWS::DynamoDB::Table'));
  const [dataTable] = tables.filter((id) => id.startsWith('DataTable'));
  expect(Statement).toEqual([
    { Effect: 'Allow', Principal: '*', Action: 'Update:*', Resource: '*' },
    { Effect: 'Deny', Principal: '*', Action: ['Update:Replace', 'Update:Delete'], Resource: `LogicalResourceId/${dataTable}` },
  ]);
});
