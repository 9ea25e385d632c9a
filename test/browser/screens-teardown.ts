import tearDown from '../support/run-folder-teardown.ts';
import { indexScreens } from './screens.ts';

/** Fails a run of the whole suite if a state has no screen. */
export default async ({ nonFlagArgs, testNamePattern }: { nonFlagArgs: string[]; testNamePattern?: string }): Promise<void> => {
  await tearDown();
  const missing = await indexScreens();
  if (nonFlagArgs.length === 0 && !testNamePattern && missing.length > 0)
    throw new Error(`These screens are missing: ${missing.join(', ')}.`);
};
