import { Code } from 'aws-cdk-lib/aws-lambda';
import { App, CfnResource } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/app.ts';
import { bundleForTest } from './bundles.ts';

/** What the emulator's CloudFormation cannot make; no other resource refers to one. */
const unsupportedTypes = ['AWS::Logs::MetricFilter'];

// bin/app.ts with other bundles: the stacks are the same but for what the emulator does not know.
const app = new App();
const bundles = await bundleForTest(`${app.outdir}/bundles`);
createStacks(app, (name) => Code.fromAsset(bundles[name].directory));
for (const { node } of app.node
  .findAll()
  .filter(CfnResource.isCfnResource)
  .filter(({ cfnResourceType }) => unsupportedTypes.includes(cfnResourceType)))
  node.scope?.node.tryRemoveChild(node.id);
app.synth();
