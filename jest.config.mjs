import tools from './test/tools/suites.mjs';

/**
 * Native ESM with the same type stripping that runs the service: what is tested is what runs
 * (docs/decisions/0004-tools.md).
 */
export default {
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...tools],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  globalSetup: '<rootDir>/test/support/run-folder.ts',
  globalTeardown: '<rootDir>/test/support/run-folder-teardown.ts',
  // Only a test that hangs takes this long. Tests are bounded by work and not by time, because a
  // loaded machine may need many times as long.
  testTimeout: 20 * 60_000,
  maxWorkers: 2,
  coverageProvider: 'v8',
  collectCoverageFrom: ['shared/**/*.ts', 'functions/**/*.ts'],
  coverageReporters: ['text-summary', 'json-summary', 'text'],
};
