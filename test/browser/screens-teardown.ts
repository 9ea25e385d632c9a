import tearDown from '../support/run-folder-teardown.ts';
import { indexScreens, missingStates } from './screens.ts';

/** Fails a full run of the suite if no test looked at a state. */
export default async ({ nonFlagArgs, testNamePattern }: { nonFlagArgs: string[]; testNamePattern?: string }): Promise<void> => {
  const missing = await missingStates();
  await tearDown();
  if (process.env['SCREENS']) await indexScreens();
  if (nonFlagArgs.length === 0 && !testNamePattern && missing.length > 0)
    throw new Error(`No test looked at these states: ${missing.join(', ')}.`);
};
