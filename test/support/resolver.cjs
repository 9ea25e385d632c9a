/** With AWS_CLIENT=lean deployed source gets the lean AWS clients, as `awsClient: lean` gives them to its bundles. */
const { standInFor } = require('../../lib/aws-clients.ts');

const isLean = process.env.AWS_CLIENT === 'lean';

module.exports = (request, options) => (isLean && standInFor(request, `${options.basedir}/`)) || options.defaultResolver(request, options);
