import { endAll } from '../deploy/children.ts';
import tearDown from '../support/run-folder-teardown.ts';

/** Jest's global teardown. */
export default async (): Promise<void> => {
  tearDown();
  await endAll();
};
