import { expect, test } from '@jest/globals';
import { allows, allowsCall, asSets, type Statement } from './iam.ts';

const put = (...keys: string[]) => ({ action: 'dynamodb:PutItem', resource: '<Table.Arn>', leadingKeys: keys });
const statement = (...kinds: string[]): Statement => ({
  Effect: 'Allow',
  Action: ['dynamodb:PutItem'],
  Resource: ['<Table.Arn>'],
  Condition: {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  },
});
const transaction = [put('idm#acct_1'), put('exp#acct_1')];

test('a statement for each kind lets every key of a transaction through and rejects them as one set', () => {
  const perKind = [statement('idm'), statement('exp')];
  for (const part of transaction) expect(allows(perKind, part)).toBe(true);
  expect(allowsCall(perKind, transaction)).toBe(false);
});

test('a statement with both kinds lets the transaction through under both readings', () => {
  expect(allowsCall([statement('idm', 'exp')], transaction)).toBe(true);
});

test('a kind that no statement names is rejected under both', () => {
  expect(allowsCall([statement('idm', 'exp')], [...transaction, put('ord#acct_1')])).toBe(false);
});

test('keys are one set where action and resource are the same', () => {
  const read = { ...put('exp#acct_1'), action: 'dynamodb:GetItem' };
  const elsewhere = { ...put('exp#acct_1'), resource: '<Other.Arn>' };
  expect(asSets([...transaction, read, elsewhere])).toEqual([put('idm#acct_1', 'exp#acct_1'), read, elsewhere]);
});

test('a part without a key is not hidden by the keys of the others', () => {
  const scan = { action: 'dynamodb:PutItem', resource: '<Table.Arn>' };
  expect(allowsCall([statement('idm', 'exp')], [...transaction, scan])).toBe(false);
});
