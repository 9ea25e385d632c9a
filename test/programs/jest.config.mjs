import { spawnSync } from 'node:child_process';
import base from '../../jest.config.mjs';

/** The programs that the tests start, with arguments that succeed if they are there and new enough. */
const needed = {
  bash: ['--version'],
  curl: ['--version'],
  grep: ['--version'],
  tar: ['--version'],
  'python3 (3.9 or newer)': ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
  'java (17 or newer)': ['-version'],
};
const missing = Object.entries(needed)
  .filter(([program, args]) => spawnSync(program.split(' ')[0], args).status !== 0)
  .map(([program]) => program);
if (missing.length > 0) throw new Error(`npm run test:programs also needs ${missing.join(', ')}.`);

// The tests' processes inherit it.
process.env.TEST_PROGRAMS = 'true';

/**
 * Tests that start programs other than git, Node and npm: `npm run test:programs` (docs/testing.md).
 * Some also run in `npm test`, on what Node alone can do.
 */
export default {
  ...base,
  rootDir: '../..',
  testPathIgnorePatterns: [],
  testMatch: [
    '<rootDir>/test/programs/*.programs.ts',
    '<rootDir>/test/{docs/samples,examples/guides,examples/receivers,journeys/first-run}.test.ts',
    '<rootDir>/test/simulation/engine/{against-engines,recorded-calls}.test.ts',
  ],
};
