import type { Template } from 'aws-cdk-lib/assertions';
import { measurePages, startCapacity } from '../../bench/measure/list-capacity.ts';
import { deploymentOf } from './deployment.ts';
import { measureOperations } from './operations.ts';
import type { Figures } from './tables.ts';

/** Number of records: enough that a second page of 50 is not the last. */
const records = 200;

/**
 * Measures every figure on the pages, with the template of a region in the default configuration.
 */
export const measureFigures = async (template: Template): Promise<Figures> => {
  const capacity = await startCapacity();
  try {
    const [operations, pages] = [await measureOperations(), await measurePages(capacity, records)];
    return { operations, pages, deployment: deploymentOf(template) };
  } finally {
    await capacity.stop();
  }
};
