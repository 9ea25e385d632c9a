import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { groupNames, pageNames } from '../../functions/groups.ts';
import { functionNames, specOf } from '../../lib/functions.ts';
import { logGroupNames, logGroupOf } from '../../lib/metrics.ts';
import { longestCommitMs } from '../../shared/domain/webhook/record.ts';
import { fullContext, someContext } from './contexts.ts';
import { flatten } from './iam.ts';
import { propertiesOf, resourcesOf, synthesize } from './synthesize.ts';

let template: Template;
let functions: Record<string, Record<string, unknown>>;
beforeAll(() => {
  template = synthesize().templates.us;
  functions = Object.fromEntries(
    propertiesOf(template, 'AWS::Lambda::Function').map((properties) => [
      String(properties['FunctionName']).replace('BakeryCommerce-us-', ''),
      properties,
    ]),
  );
});

test('the stack deploys exactly the functions of the table', () => {
  expect(Object.keys(functions).sort()).toEqual([...functionNames].sort());
});

describe.each(functionNames)('%s', (name) => {
  const properties = () => functions[name] ?? {};

  test(`${name} runs Node 24 on arm64`, () => {
    expect(properties()).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'], Handler: 'index.handler' });
  });

  test(`${name} logs only its own lines and keeps them for 30 days`, () => {
    const logging = properties()['LoggingConfig'] as Record<string, unknown>;
    expect(logging).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
    const group = resourcesOf(template, 'AWS::Logs::LogGroup')[/<(\w+)>/.exec(flatten(logging['LogGroup']))?.[1] ?? ''];
    expect(group?.Properties).toMatchObject({ RetentionInDays: 30, LogGroupName: `/aws/lambda/BakeryCommerce-us-${logGroupOf(name)}` });
  });

  test(`${name} has the memory, the timeout and exactly the environment of its row`, () => {
    const spec = specOf(name);
    expect(properties()).toMatchObject({ MemorySize: spec.memoryMb, Timeout: spec.timeoutSeconds });
    const { Variables } = (properties()['Environment'] ?? { Variables: {} }) as { Variables: Record<string, unknown> };
    const { environment, runtime = {} } = spec;
    expect(Object.keys(Variables).sort()).toEqual([...environment, ...Object.keys(runtime)].sort());
    expect(Variables).toMatchObject(runtime);
  });
});

test('functions behind the gateway time out before its 30 s', () => {
  for (const name of [...groupNames, ...pageNames, 'fallback'] as const) expect(specOf(name).timeoutSeconds).toBeLessThan(30);
});

test('no function commits a write later than fan-out expects', () => {
  for (const name of functionNames) expect(specOf(name).timeoutSeconds * 1000).toBeLessThan(longestCommitMs);
});

test('every log group is kept for 30 days', () => {
  const groups = propertiesOf(template, 'AWS::Logs::LogGroup');
  expect(groups.filter(({ FieldIndexPolicies }) => FieldIndexPolicies !== undefined)).toEqual([
    expect.objectContaining({ LogGroupName: '/aws/lambda/BakeryCommerce-us-api', FieldIndexPolicies: [{ Fields: ['account', 'rid'] }] }),
  ]);
  expect(groups).toHaveLength(logGroupNames.length + 1);
  for (const group of groups) expect(group['RetentionInDays']).toBe(30);
});

test('every log group has the configured retention', () => {
  const { us, au } = synthesize(someContext).templates;
  const daysOf = (of: Template) => new Set(propertiesOf(of, 'AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays));
  expect([daysOf(us), daysOf(au)]).toEqual([new Set([90]), new Set([30])]);
});

test('tracing is on only if configured', () => {
  const modesOf = (of: Template) => propertiesOf(of, 'AWS::Lambda::Function').map(({ TracingConfig }) => TracingConfig);
  for (const mode of modesOf(synthesize(fullContext).templates.us)) expect(mode).toEqual({ Mode: 'Active' });
  for (const mode of modesOf(template)) expect(mode).toBeUndefined();
});

test('no function has a public URL', () => {
  template.resourceCountIs('AWS::Lambda::Url', 0);
});

test('no concurrency is reserved unless configured', () => {
  for (const properties of Object.values(functions)) expect(properties).not.toHaveProperty('ReservedConcurrentExecutions');
  const configured = synthesize(fullContext).templates.us;
  configured.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: 'BakeryCommerce-us-deliver',
    ReservedConcurrentExecutions: 100,
  });
});
