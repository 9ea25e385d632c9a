/**
 * Tests use the AWS SDK like deployed functions. With AWS_CLIENT=local, they use the client of the
 * local service.
 */
const { awsClientOf, standInFor } = require('../../local/modules.ts');

const isLocal = awsClientOf(process.env, 'sdk') === 'local';

module.exports = (request, options) => (isLocal && standInFor(request, `${options.basedir}/`)) || options.defaultResolver(request, options);
