import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { bundleFunctions } from '../lib/bundle.ts';
import { createStacks } from '../lib/regional-stack.ts';

const app = new App();
const bundles = await bundleFunctions();
createStacks(app, (name) => Code.fromAsset(bundles[name].directory));
app.synth();
