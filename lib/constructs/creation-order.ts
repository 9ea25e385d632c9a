import type { IConstruct } from 'constructs';

/**
 * CloudFormation starts everything at once that does not wait for something else. Where the API behind a resource takes a few calls a
 * second (PutMetricFilter 5, PutMetricAlarm 3), dozens of them fail a first deployment with "Rate exceeded": each waits for the one three
 * places before it, so that three are being made at a time.
 */
export const createThreeAtATime = (resources: readonly IConstruct[]): void => {
  for (const [i, earlier] of resources.slice(0, -3).entries()) resources[i + 3]?.node.addDependency(earlier);
};
