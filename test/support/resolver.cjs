/** The tests run over the SDK, as deployed functions do; with AWS_CLIENT=local, deployed source gets the client of the local service. */
const { awsClientOf, standInFor } = require('../../local/modules.ts');

const isLocal = awsClientOf(process.env, 'sdk') === 'local';

module.exports = (request, options) => (isLocal && standInFor(request, `${options.basedir}/`)) || options.defaultResolver(request, options);
