import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { type FunctionName, functionNames, specOf, withNotices } from '../../lib/functions.ts';
import { allRightsContext } from './contexts.ts';
import { asSets, type IamRequest, rightsOf, rightUsed, type Statement, statementAllowing, statementsOf } from './iam.ts';
import { actionsFlow } from './rights/actions-flow.ts';
import { apiFlows } from './rights/api-flows.ts';
import { pipelineFlows } from './rights/pipeline-flows.ts';
import { impliedRights, platformImplied } from './rights/platform-implied.ts';
import { type Flow, openStage, type Stage } from './rights/stage.ts';
import { rightOnBuckets, rightOnKind, type TableArns, tableRequestsOf } from './rights/table-requests.ts';
import { resourcesOf, synthesize } from './synthesize.ts';

let template: Template;
let stage: Stage;
let arns: TableArns;
let flows: Record<FunctionName, Flow>;
let rights: Record<FunctionName, Statement[]>;
beforeAll(async () => {
  // permissions.test.ts tests the stack without these settings.
  template = synthesize(allRightsContext).templates.us;
  stage = await openStage(template);
  const arnOf = (part: string) => `<${Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table')).find((id) => id.startsWith(part))}.Arn>`;
  const { tableName, bucketsTableName } = stage.world.tables;
  arns = { data: { name: tableName, arn: arnOf('DataTable') }, buckets: { name: bucketsTableName, arn: arnOf('DataBuckets') } };
  flows = { ...apiFlows(stage), ...pipelineFlows(stage), ...actionsFlow(stage) };
  rights = Object.fromEntries(functionNames.map((name) => [name, statementsOf(template, name)])) as Record<FunctionName, Statement[]>;
});
afterAll(() => stage.stop());

/**
 * Runs the work with a function's rights, and rejects calls that IAM would reject. Returns the used
 * rights.
 */
const usedBy = async (name: FunctionName, work: () => Promise<void>): Promise<string[]> => {
  const used = new Set<string>();
  const denied = new Set<string>();
  const judge = (request: IamRequest, right?: string): Statement => {
    const statement = statementAllowing(rights[name], request);
    if (statement) return statement;
    denied.add(right ?? [request.action, request.resource, ...(request.leadingKeys ?? [])].join(' '));
    throw new Error(`AccessDenied: ${name} may not ${[...denied].join(', ')}`);
  };
  stage.world.wire.intercept(async (call, send) => {
    const requests = tableRequestsOf(call, arns);
    for (const request of requests) {
      judge(request, request.right);
      used.add(request.right);
    }
    for (const request of asSets(requests)) judge(request);
    return await send();
  });
  stage.gate.judge = (requests) => {
    for (const request of requests) used.add(rightUsed(judge(request), request));
  };
  try {
    await work();
  } finally {
    stage.world.wire.intercept(undefined);
    stage.gate.judge = () => {};
    expect([...denied]).toEqual([]);
  }
  return [...used].sort();
};

/** Returns a function's rights: on the tables by kind and index, all others by resource. */
const grantedTo = (name: FunctionName): string[] => {
  const { table, countsRates } = withNotices(specOf(name));
  const onTable = table.flatMap(({ kinds, actions, indexes = [undefined] }) =>
    kinds.flatMap((kind) => actions.flatMap((action) => indexes.map((index) => rightOnKind(action, kind, index)))),
  );
  const isTable = (resource: string): boolean => [arns.data.arn, arns.buckets.arn].some((arn) => resource.startsWith(arn));
  const elsewhere = rights[name].filter(({ Resource }) => !Resource.some(isTable));
  return [...new Set([...onTable, ...(countsRates ? [rightOnBuckets('UpdateItem')] : []), ...rightsOf(elsewhere)])].sort();
};

describe('rights', () => {
  test.each(functionNames)('the rights of %s are exactly those that it, or AWS on its behalf, uses', async (name) => {
    const work = await flows[name]();
    const used = await usedBy(name, work);
    const implied = new Set(impliedRights(template, name));
    const isHere = new Set(used);
    expect(used).toEqual(grantedTo(name).filter((right) => isHere.has(right) || !implied.has(right)));
  });

  test.each(platformImplied)('rights that AWS uses are granted to a function: $reason', (implied) => {
    const grantedRights = functionNames.flatMap((name) => {
      const granted = new Set(grantedTo(name));
      return impliedRights(template, name, [implied]).filter((right) => granted.has(right));
    });
    for (const action of implied.actions) expect(grantedRights.filter((right) => right.startsWith(`${action} `))).not.toEqual([]);
  });
});
