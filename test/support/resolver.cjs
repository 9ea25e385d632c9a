/** Gives deployed source the lean AWS clients, as the build and the local runtime do; with AWS_CLIENT=sdk those of the SDK. */
const { standInFor } = require('../../lib/aws-clients.ts');

const isLean = process.env.AWS_CLIENT !== 'sdk';

module.exports = (request, options) => (isLean && standInFor(request, `${options.basedir}/`)) || options.defaultResolver(request, options);
