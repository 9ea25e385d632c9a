import { resolve } from 'node:path';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { bundleDocs } from '../../lib/docs/bundle.ts';
import { readDocsSettings } from '../../lib/docs/settings.ts';
import { createStacks } from '../../lib/regional-stack.ts';
import { writePublishedSite } from '../../pages/docs/build.ts';
import { bundleForTest } from './bundles.ts';

/**
 * The metric of an alarm on metric math in the emulator, which takes alarms on one metric only. The
 * tests of the templates evaluate the real condition.
 */
const plainMetric = { Namespace: 'AWS/Lambda', MetricName: 'Errors', Statistic: 'Sum', Period: 300 };

// bin/app.ts with other bundles.
const app = new App({ builtinCloudFormationValidation: false });
const bundles = await bundleForTest(resolve(app.outdir, 'bundles'));
const docs = await bundleDocs(readDocsSettings(app.node), writePublishedSite, resolve(app.outdir, 'bundles'));
createStacks(
  app,
  (name) => Code.fromAsset(bundles[name].directory),
  (stackName) => Code.fromAsset(docs[stackName] ?? ''),
);
for (const construct of app.node.findAll()) {
  if (!(construct instanceof CfnAlarm) || construct.metrics === undefined) continue;
  construct.addPropertyDeletionOverride('Metrics');
  for (const [name, value] of Object.entries(plainMetric)) construct.addPropertyOverride(name, value);
}
app.synth();
