import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Template } from 'aws-cdk-lib/assertions';
import type { Region } from '../../shared/core/config.ts';
import { runFolder } from '../support/run-folder.ts';
import type { Context, Stacks } from './synthesize-app.ts';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: string | readonly string[];
}

const program = fileURLToPath(new URL('print-templates.ts', import.meta.url));

/** In a separate process: Jest loads the CDK several times more slowly, and once per test file. */
const printed = (context: Context): string =>
  execFileSync(process.execPath, [program, JSON.stringify(context)], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const known = new Map<string, Stacks>();

/**
 * Returns the templates of this run from a file, because reading is a dozen times faster than
 * synthesis.
 */
const fromThisRun = (context: Context): Stacks => {
  const name = createHash('sha256').update(JSON.stringify(context)).digest('hex');
  const file = join(process.env[runFolder] ?? '', `${name}.json`);
  if (!existsSync(file)) {
    // Written and renamed, so that the other worker never reads a partial file.
    writeFileSync(`${file}.${process.pid}`, printed(context));
    renameSync(`${file}.${process.pid}`, file);
  }
  const templates = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, Template.fromJSON(template)]));
};

/** Returns the template of a stack. Throws if the assembly has none of that name. */
export const templateOf = (stacks: Stacks, stackName: string): Template => {
  const template = stacks[stackName];
  if (!template) throw new Error(`No stack ${stackName}`);
  return template;
};

/** The templates of production by region, and those of all stacks by name. */
export const synthesize = (context: Context = {}): { readonly templates: Readonly<Record<Region, Template>>; readonly stacks: Stacks } => {
  const key = JSON.stringify(context);
  const stacks = known.get(key) ?? fromThisRun(context);
  known.set(key, stacks);
  const of = (region: Region) => templateOf(stacks, `BakeryCommerce-${region}`);
  const templates = {
    get us() {
      return of('us');
    },
    get au() {
      return of('au');
    },
    get eu() {
      return of('eu');
    },
  };
  return { templates, stacks };
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
