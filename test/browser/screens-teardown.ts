import tearDown from '../support/run-folder-teardown.ts';
import { indexScreens } from './screens.ts';

/** Fails a full run of the suite if a state has no screenshot. */
export default async ({ nonFlagArgs, testNamePattern }: { nonFlagArgs: string[]; testNamePattern?: string }): Promise<void> => {
  await tearDown();
  const missing = await indexScreens();
  if (nonFlagArgs.length === 0 && !testNamePattern && missing.length > 0)
    throw new Error(`These screens are missing: ${missing.join(', ')}.`);
};
