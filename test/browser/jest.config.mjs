import base from '../../jest.config.mjs';

/** Tests in a real browser: `npm run test:browser` (docs/testing.md). */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/browser/**/*.browser.ts'],
  globalTeardown: '<rootDir>/test/browser/screens-teardown.ts',
  maxWorkers: 1,
};
