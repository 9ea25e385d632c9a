/** The walls of docs/architecture.md: each rule is named, and its comment says what a breach would mean. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(bin|lib|functions|shared|local|test|bench)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    only('bin-is-thin', '^bin/', '^(bin|lib|local)/', 'bin only starts things; logic in it would be reachable by no test.'),
    only(
      'lib-knows-routes-and-names-only',
      '^lib/',
      '^(lib/|functions/[^/]+/routes\\.ts|functions/[^/]+/schema\\.ts|shared/core/|shared/table/schema\\.ts)',
      'Infrastructure reads data; importing behaviour would run service code while synthesizing.',
    ),
    {
      name: 'functions-stand-alone',
      comment: 'A function that imports its neighbour drags its code into the bundle and its rights into the policy.',
      severity: 'error',
      from: { path: '^functions/([^/]+)/' },
      to: { path: '^functions/', pathNot: '^functions/$1/' },
    },
    {
      name: 'functions-use-shared-only',
      comment: 'Deployed code never imports infrastructure, the local runtime, tests or benchmarks.',
      severity: 'error',
      from: { path: '^(functions|shared)/' },
      to: { path: '^(bin|lib|local|test|bench)/' },
    },
    only(
      'routes-are-data',
      '^functions/[^/]+/routes\\.ts',
      '^(shared/core/|functions/[^/]+/schema\\.ts)',
      'A route table that imports behaviour cannot be read by CDK, tests and docs.',
    ),
    only('core-imports-nothing', '^shared/core/', '^shared/core/', 'core is the ground: no I/O, nothing of ours.'),
    only(
      'domain-is-pure',
      '^shared/domain/',
      '^shared/(domain|core)/',
      'Rules of the bakery that need a store or a network cannot be tested by tables.',
    ),
    only('events-are-pure', '^shared/events/', '^shared/(events|core|domain)/', 'What happened is decided from two images alone.'),
    only(
      'webhooks-store-nothing',
      '^shared/webhooks/',
      '^shared/(webhooks|core|events)/',
      "How one delivery is made and judged; where it is kept is the table room's business.",
    ),
    only('table-speaks-dynamodb', '^shared/table/', '^shared/(table|core|domain)/', 'The store knows records, not requests.'),
    only('providers-are-edges', '^shared/providers/', '^shared/(providers|core|domain)/', 'A provider wraps one outside service.'),
    only('auth-room', '^shared/auth/', '^shared/(auth|core|domain|table)/', 'Who is calling is decided before what they ask.'),
    only('http-room', '^shared/http/', '^shared/(http|core|domain|table|auth)/', 'The chain serves every operation and knows none.'),
    {
      name: 'dynamodb-in-one-room',
      comment: 'Expressions outside shared/table would be access patterns that no page lists.',
      severity: 'error',
      from: { path: '^(functions|shared|lib|bin)/', pathNot: '^shared/table/' },
      to: { path: '@aws-sdk/[^/]*dynamodb' },
    },
    {
      name: 'one-socket',
      comment: 'Only the attempt and the providers open connections, so that one address check guards them all.',
      severity: 'error',
      from: { path: '^(functions|shared)/', pathNot: '^shared/(providers/|webhooks/attempt\\.ts)' },
      to: { path: '^(node:)?(http|https|http2|net|tls|dgram)$' },
    },
    {
      name: 'cdk-in-lib',
      comment: 'aws-cdk-lib in deployed code would be megabytes of bundle.',
      severity: 'error',
      from: { path: '^(functions|shared|local|bench)/' },
      to: { path: 'node_modules/(aws-cdk-lib|cdk-nag|constructs)/' },
    },
    {
      name: 'no-cycles',
      comment: 'A cycle means two files are one.',
      severity: 'error',
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-dependency-deployed',
      comment: 'What is deployed comes from dependencies, or it is missing in production.',
      severity: 'error',
      from: { path: '^(functions|shared)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
