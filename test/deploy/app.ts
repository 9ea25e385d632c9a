import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/regional-stack.ts';
import { bundleForTest } from './bundles.ts';

// bin/app.ts with other bundles.
const app = new App();
const bundles = await bundleForTest(`${app.outdir}/bundles`);
createStacks(app, (name) => Code.fromAsset(bundles[name].directory));
app.synth();
