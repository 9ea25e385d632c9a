/**
 * Suites that check tools, documents and the repository, and what is synthesized and billed; not
 * what the service does. They run in `npm run test:tools` and not in `npm test` (docs/testing.md).
 */
export default [
  '/test/(conformance|costs|deploy|repository|simulation)/',
  '/test/(clients/package|docs/site|examples/readme|ops/check-broken)\\b',
  '/test/lib/(app|bundles|first-deployment|github|idle-cost|notices|rights-in-use|stage)\\b',
];
