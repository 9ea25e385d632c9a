import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../lib/app.ts';
import { awsClients } from '../lib/aws-clients.ts';
import { bundleFunctions } from '../lib/bundle.ts';
import { readRegionSettings } from '../lib/regions.ts';

const app = new App();
const wanted = new Set(readRegionSettings(app.node).map(({ awsClient }) => awsClient));
const bundles = new Map(
  await Promise.all(awsClients.filter((one) => wanted.has(one)).map(async (one) => [one, await bundleFunctions(one)] as const)),
);
createStacks(app, (name, awsClient) => Code.fromAsset(bundles.get(awsClient)?.[name].directory ?? ''));
app.synth();
