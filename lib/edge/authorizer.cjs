/**
 * The authorizer of an API behind an edge: passes only requests with the edge's secret. It is
 * deployed as it is here, because Lambda's runtime has this client.
 */
const { createHash, timingSafeEqual } = require('node:crypto');
const { GetSecretValueCommand, SecretsManagerClient } = require('@aws-sdk/client-secrets-manager');

const { SECRET_ARN: SecretId = '' } = process.env;
const client = new SecretsManagerClient({});
const refreshMs = 60_000;
/** For a value that is not known: API Gateway would remember its rejection for an hour. */
const unknownRefreshMs = 1_000;

const digest = (text) => createHash('sha256').update(text).digest();

const read = async (VersionStage) => {
  try {
    return [digest((await client.send(new GetSecretValueCommand({ SecretId, VersionStage }))).SecretString)];
  } catch (error) {
    // A secret that was never rotated has no previous version.
    if (error.name === 'ResourceNotFoundException' && VersionStage === 'AWSPREVIOUS') return [];
    throw error;
  }
};

let known = [];
let readMs = Number.NEGATIVE_INFINITY;

/** Reads both versions, because the distribution sends the previous one until it is deployed. */
const refresh = async (nowMs) => {
  known = (await Promise.all([read('AWSCURRENT'), read('AWSPREVIOUS')])).flat();
  readMs = nowMs;
};

exports.handler = async ({ identitySource: [sent = ''] = [], requestContext: { timeEpoch } }) => {
  const presented = digest(sent);
  const isKnown = () => known.some((one) => timingSafeEqual(one, presented));
  try {
    if (timeEpoch - readMs >= (isKnown() ? refreshMs : unknownRefreshMs)) await refresh(timeEpoch);
  } catch (error) {
    // A value that could not be checked is not rejected, because API Gateway would remember that.
    if (!isKnown()) throw error;
  }
  return { isAuthorized: isKnown(), context: { edge: true } };
};
