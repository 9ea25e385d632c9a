import base from '../../jest.config.mjs';
import suites from './suites.mjs';

/** The suites that `npm test` leaves out. */
export default {
  ...base,
  rootDir: '../..',
  testPathIgnorePatterns: [],
  testRegex: suites.map((suite) => `${suite}.*\\.test\\.ts$`),
  testMatch: undefined,
};
