import { readFileSync, rmSync } from 'node:fs';
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

const build = (context: Readonly<Record<string, unknown>>): Synthesized => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  const app = new App({ context: { ...flags, ...context } });
  const stacks = createStacks(app, () => Code.fromInline('// bundled for deployment'));
  const templates = stacks.map((stack, i) => [regions[i], Template.fromStack(stack)]);
  // The assembly stays in memory; its files are of no use to a test.
  rmSync(app.outdir, { recursive: true, force: true });
  return { app, templates: Object.fromEntries(templates) as Record<Region, Template> };
};

const built = new Map<string, Synthesized>();

/** The app as `cdk synth` makes it, with the feature flags of cdk.json; code is a stub, so that nothing is bundled. Once per context. */
export const synthesize = (context: Readonly<Record<string, unknown>> = {}): Synthesized => {
  const key = JSON.stringify(context);
  const known = built.get(key) ?? build(context);
  built.set(key, known);
  return known;
};

/** Resources of a type by logical id, with their plain JSON properties. */
export const resourcesOf = (template: Template, type: string): Record<string, Resource> =>
  template.findResources(type) as Record<string, Resource>;

export const propertiesOf = (template: Template, type: string): Record<string, unknown>[] =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties ?? {});

/** Properties of the one resource of a type that passes. */
export const theOnly = (
  template: Template,
  type: string,
  passes: (properties: Record<string, unknown>) => boolean = () => true,
): Record<string, unknown> => {
  const [found, ...others] = propertiesOf(template, type).filter(passes);
  if (!found || others.length > 0) throw new Error(`${found ? others.length + 1 : 0} resources of type ${type}`);
  return found;
};

export interface PolicyDocument {
  readonly Statement: readonly Readonly<Record<string, unknown>>[];
}
