import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type LogGroupName, logGroupNames } from '../log-groups.ts';

export type LogGroups = Readonly<Record<LogGroupName, LogGroup>>;

/** The log groups of a region's functions. */
export const createLogGroups = (scope: Construct, retention: number): LogGroups => {
  const here = new Construct(scope, 'Logs');
  const created = logGroupNames.map((name) => {
    const logGroupName = `/aws/lambda/${Stack.of(scope).stackName}-${name}`;
    return [name, new LogGroup(here, name, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY })] as const;
  });
  return Object.fromEntries(created) as LogGroups;
};
