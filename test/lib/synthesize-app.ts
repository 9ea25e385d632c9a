import { readFileSync, rmSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/regional-stack.ts';

/** Templates by the name of their stack. */
export type Stacks = Readonly<Record<string, Template>>;
export type Context = Readonly<Record<string, unknown>>;

/**
 * The app as `cdk synth` makes it, with the feature flags of cdk.json; code is a stub, so that
 * nothing is bundled.
 */
export const synthesizeApp = (context: Context = {}): { readonly app: App; readonly stacks: Stacks } => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  // The CDK's own validation is nine tenths of a synthesis; `npm run synth` and cfn-lint judge the
  // same templates.
  const app = new App({ context: { ...flags, ...context }, builtinCloudFormationValidation: false });
  const stub = () => Code.fromInline('// bundled for deployment');
  const created = createStacks(app, stub, stub);
  const stacks = Object.fromEntries(created.map((stack) => [stack.stackName, Template.fromStack(stack)]));
  // The assembly stays in memory; its files are of no use to a test.
  rmSync(app.outdir, { recursive: true, force: true });
  return { app, stacks };
};
