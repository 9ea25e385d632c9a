import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { createStacks } from '../../lib/app.ts';
import { type Region, regions } from '../../shared/core/regions.ts';
import { runFolder } from '../support/run-folder.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export type Templates = Readonly<Record<Region, Template>>;
type Context = Readonly<Record<string, unknown>>;

/** The app as `cdk synth` makes it, with the feature flags of cdk.json; code is a stub, so that nothing is bundled. */
export const synthesizeApp = (context: Context = {}): { readonly app: App; readonly templates: Templates } => {
  const { context: flags } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { context: Record<string, unknown> };
  // The CDK's own validation is nine tenths of a synthesis; `npm run synth` and cfn-lint judge the same templates.
  const app = new App({ context: { ...flags, ...context }, builtinCloudFormationValidation: false });
  const stacks = createStacks(app, () => Code.fromInline('// bundled for deployment'));
  const templates = stacks.map((stack, i) => [regions[i], Template.fromStack(stack)]);
  // The assembly stays in memory; its files are of no use to a test.
  rmSync(app.outdir, { recursive: true, force: true });
  return { app, templates: Object.fromEntries(templates) as Record<Region, Template> };
};

const known = new Map<string, Templates>();

/** Templates that another test file of this run has made already: synthesis is a dozen times the work of reading them. */
const fromThisRun = (context: Context): Templates => {
  const name = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  const file = join(process.env[runFolder] ?? '', `${name}.json`);
  if (!existsSync(file)) {
    const made = Object.fromEntries(
      Object.entries(synthesizeApp(context).templates).map(([region, template]) => [region, template.toJSON()]),
    );
    // Whole or not at all, for the other worker.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(made));
    renameSync(`${file}.${process.pid}`, file);
  }
  const templates = JSON.parse(readFileSync(file, 'utf8')) as Record<Region, Record<string, unknown>>;
  return Object.fromEntries(regions.map((region) => [region, Template.fromJSON(templates[region])])) as Templates;
};

/** The templates of the three regions. */
export const synthesize = (context: Context = {}): { readonly templates: Templates } => {
  const key = JSON.stringify(context);
  const templates = known.get(key) ?? fromThisRun(context);
  known.set(key, templates);
  return { templates };
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
