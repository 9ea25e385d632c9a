/**
 * Suites that check tools, documents and the repository, and what is synthesized and billed; not
 * what the service does. They run in `npm run test:tools` and not in `npm test` (docs/testing.md).
 */
export default ['/test/(costs|deploy|docs|examples|lib|repository|simulation)/', '/test/(clients/package|ops/check-broken)\\b'];
