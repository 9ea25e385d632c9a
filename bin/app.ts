import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { bundleFunctions } from '../lib/bundle.ts';
import { createStacks } from '../lib/regional-stack.ts';
import { alarmWarning } from '../lib/regions.ts';

const app = new App();
const bundles = await bundleFunctions();
createStacks(app, (name) => Code.fromAsset(bundles[name].directory));
app.synth();
const warning = alarmWarning(app.node);
if (warning !== undefined) process.stderr.write(`${warning}\n`);
