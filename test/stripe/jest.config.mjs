import base from '../../jest.config.mjs';

/** Tests of Stripe's parameters and answers by stripe-mock: `npm run test:stripe` (docs/testing.md). */
export default {
  ...base,
  rootDir: '../..',
  testMatch: ['<rootDir>/test/checkout-page/*.test.ts', '<rootDir>/test/stripe/**/*.stripe.ts'],
  globalSetup: '<rootDir>/test/stripe/set-up.ts',
  globalTeardown: '<rootDir>/test/stripe/tear-down.ts',
};
