import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': unknown };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'timeout-minutes'?: number;
        readonly environment?: string;
        readonly needs?: string | readonly string[];
        readonly if?: string;
        readonly strategy?: Readonly<Record<string, unknown>>;
        readonly outputs?: Readonly<Record<string, string>>;
        readonly with?: Readonly<Record<string, unknown>>;
        /** A workflow that the job calls in place of steps. */
        readonly uses?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps?: readonly Step[];
      }
    >
  >;
}

/** An expression as a workflow spells it. */
export const expression = (of: string): string => `\${{ ${of} }}`;

export const folder = '.github/workflows';
export const textOf = (file: string): string => readFileSync(`${folder}/${file}`, 'utf8');
export const read = (file: string): Workflow => parse(textOf(file)) as Workflow;
export const stepsOf = (workflow: Workflow): readonly Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps ?? []);
export const commandsOf = (workflow: Workflow): string[] => stepsOf(workflow).flatMap(({ run }) => run ?? []);
