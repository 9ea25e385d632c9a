import { type App, type Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { CodeProvider } from './constructs/service-function.ts';
import { createRegionalStack } from './regional-stack.ts';
import { readRegionSettings } from './regions.ts';

/** One stack per service region, checked against the AWS Solutions rules when synthesized. */
export const createStacks = (app: App, code: CodeProvider): readonly Stack[] => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return readRegionSettings(app.node).map((settings) => createRegionalStack(app, settings, code));
};
