import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type FunctionName, type LogGroupName, logGroupOf } from '../functions.ts';

export type LogGroups = Readonly<Record<LogGroupName, LogGroup>>;

export interface LogGroupsOfFunctions {
  /** The group of a function: the one it shares, or one of its own, made within the function's construct. */
  readonly of: (here: Construct, name: FunctionName) => LogGroup;
  /** All of them, once every function was made. */
  readonly all: () => LogGroups;
}

/**
 * The log groups of a region's functions. Their names are fixed, so each keeps the logical id that it was deployed with: CloudFormation makes
 * what is new before it deletes what has gone, and a group of the same name would be in its way.
 */
export const openLogGroups = (scope: Construct, retention: number): LogGroupsOfFunctions => {
  const made = new Map<LogGroupName, LogGroup>();
  const shared = new Construct(scope, 'Logs');
  const make = (parent: Construct, id: string, name: LogGroupName): LogGroup => {
    const logGroupName = `/aws/lambda/${Stack.of(scope).stackName}-${name}`;
    const group = new LogGroup(parent, id, { logGroupName, retention, removalPolicy: RemovalPolicy.DESTROY });
    made.set(name, group);
    return group;
  };
  return {
    of(here, functionName) {
      const name = logGroupOf(functionName);
      return made.get(name) ?? (name === functionName ? make(here, 'Logs', name) : make(shared, name, name));
    },
    all: () => Object.fromEntries(made) as LogGroups,
  };
};
