import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../lib/app.ts';
import { bundleFunctions } from '../lib/bundle.ts';

const app = new App();
const bundles = await bundleFunctions();
createStacks(app, (name) => Code.fromAsset(bundles[name].directory));
app.synth();
