import { readFileSync } from 'node:fs';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/app.ts';
import { type Region, regions } from '../../shared/core/regions.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Synthesized {
  readonly app: App;
  readonly templates: Readonly<Record<Region, Template>>;
}

/** The app as `cdk synth` makes it, with the feature flags of cdk.json; code is a stub, so that nothing is bundled. */
export const synthesize = (context: Record<string, unknown> = {}): Synthesized => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  const app = new App({ context: { ...flags, ...context } });
  const stacks = createStacks(app, () => Code.fromInline('// bundled for deployment'));
  const templates = stacks.map((stack, i) => [regions[i], Template.fromStack(stack)]);
  return { app, templates: Object.fromEntries(templates) as Record<Region, Template> };
};

/** Resources of a type by logical id, with their plain JSON properties. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;

export const propertiesOf = (template: Template, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties ?? {});
