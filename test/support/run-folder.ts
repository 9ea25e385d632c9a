import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Name of the folder that test files of one run share. */
export const runFolder = 'TEST_RUN_FOLDER';

/** Jest's global setup. It runs before the workers, which inherit the environment. */
export default (): void => {
  process.env[runFolder] = mkdtempSync(join(tmpdir(), 'test-run-'));
};

/** Jest's global teardown. */
export const teardown = (): void => {
  rmSync(process.env[runFolder] ?? '', { recursive: true, force: true });
};
