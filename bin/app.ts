import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { bundleFunctions } from '../lib/bundle.ts';
import { bundleDocs } from '../lib/docs/bundle.ts';
import { readDocsSettings } from '../lib/docs/settings.ts';
import { createStacks } from '../lib/regional-stack.ts';
import { writePublishedSite } from '../pages/docs/build.ts';

const app = new App();
const [bundles, docs] = await Promise.all([bundleFunctions(), bundleDocs(readDocsSettings(app.node), writePublishedSite)]);
createStacks(
  app,
  (name) => Code.fromAsset(bundles[name].directory),
  (stackName) => Code.fromAsset(docs[stackName] ?? ''),
);
app.synth();
