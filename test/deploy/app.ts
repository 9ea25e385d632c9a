import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/app.ts';
import { bundleForTest } from './bundles.ts';

// bin/app.ts with other bundles, and with each of the two AWS clients in some region: the stacks are the same.
const app = new App({ context: { 'awsClient.eu': 'sdk' } });
const [lean, sdk] = await Promise.all([
  bundleForTest('lean', `${app.outdir}/bundles/lean`),
  bundleForTest('sdk', `${app.outdir}/bundles/sdk`),
]);
const bundles = { lean, sdk };
createStacks(app, (name, awsClient) => Code.fromAsset(bundles[awsClient][name].directory));
app.synth();
