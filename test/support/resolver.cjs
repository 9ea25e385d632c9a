/** Deployed source gets the lean AWS clients, as its bundles do; with AWS_CLIENT=sdk it gets what it imports. */
const { awsClientOf, standInFor } = require('../../lib/aws-clients.ts');

const isLean = awsClientOf(process.env) === 'lean';

module.exports = (request, options) => (isLean && standInFor(request, `${options.basedir}/`)) || options.defaultResolver(request, options);
