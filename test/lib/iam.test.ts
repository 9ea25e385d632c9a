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

test('statements per kind allow each key of a transaction, and reject the keys as one set', () => {
  const perKind = [statement('idm'), statement('exp')];
  for (const part of transaction) expect(allows(perKind, part)).toBe(true);
  expect(allowsCall(perKind, transaction)).toBe(false);
});

test('one statement with both kinds allows the transaction under both interpretations', () => {
  expect(allowsCall([statement('idm', 'exp')], transaction)).toBe(true);
});

test('a kind without a statement is rejected under both', () => {
  expect(allowsCall([statement('idm', 'exp')], [...transaction, put('ord#acct_1')])).toBe(false);
});

test('keys with the same action and resource form one set', () => {
  const read = { ...put('exp#acct_1'), action: 'dynamodb:GetItem' };
  const elsewhere = { ...put('exp#acct_1'), resource: '<Other.Arn>' };
  expect(asSets([...transaction, read, elsewhere])).toEqual([put('idm#acct_1', 'exp#acct_1'), read, elsewhere]);
});

test('a part without a key makes its set a request without keys', () => {
  const scan = { action: 'dynamodb:PutItem', resource: '<Table.Arn>' };
  expect(allowsCall([statement('idm', 'exp')], [...transaction, scan])).toBe(false);
});
