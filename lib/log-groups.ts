import { type FunctionName, functionNames } from './functions.ts';
import { type GroupName, groupNames } from './groups.ts';

/** `api` belongs to all functions of the API, `fallback` included; every other function has a log group of its own name. */
export type LogGroupName = 'api' | Exclude<FunctionName, GroupName | 'fallback'>;

const apiFunctions: readonly FunctionName[] = [...groupNames, 'fallback'];

/**
 * Where a function logs. The API's functions write the same lines, so one group makes one metric filter of what would be eight. `op` tells
 * whose a line is; lines of Lambda itself are told apart by `@logStream`, which holds the function's name in a group that is shared.
 */
export const logGroupOf = (name: FunctionName): LogGroupName => (apiFunctions.includes(name) ? 'api' : (name as LogGroupName));

export const logGroupNames: readonly LogGroupName[] = [...new Set(functionNames.map(logGroupOf))];
