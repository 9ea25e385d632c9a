import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { regions } from '../../shared/core/regions.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': unknown };
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly 'timeout-minutes'?: number;
        readonly environment?: string;
        readonly permissions?: Readonly<Record<string, string>>;
        readonly steps: readonly Step[];
      }
    >
  >;
}

/** An expression as a workflow spells it. */
const expression = (of: string): string => `\${{ ${of} }}`;

const folder = '.github/workflows';
const textOf = (file: string): string => readFileSync(`${folder}/${file}`, 'utf8');
const read = (file: string): Workflow => parse(textOf(file)) as Workflow;
const stepsOf = (workflow: Workflow): readonly Step[] => Object.values(workflow.jobs).flatMap(({ steps }) => steps);
const commandsOf = (workflow: Workflow): string[] => stepsOf(workflow).flatMap(({ run }) => run ?? []);

describe.each(readdirSync(folder))('%s', (file) => {
  const workflow = read(file);

  test('pins every action by commit, with its release in a comment', () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  test('pastes no expression into a script', () => {
    expect(commandsOf(workflow).filter((command) => command.includes('${{'))).toEqual([]);
  });

  test('knows no stored secret, and leaves no token of its own in the checkout', () => {
    expect(textOf(file)).not.toMatch(/secrets\.|access-key/);
    const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual([false]);
  });

  test('ends by itself, each job within an hour', () => {
    const limits = Object.values(workflow.jobs).map((job) => job['timeout-minutes'] ?? Number.POSITIVE_INFINITY);
    expect(Math.max(...limits)).toBeLessThanOrEqual(60);
  });
});

describe('CI', () => {
  const ci = read('ci.yml');

  test('calls .ci/run and nothing else', () => {
    expect(commandsOf(ci)).toEqual(['.ci/run']);
  });

  test('runs on every change, never with the rights of the target branch', () => {
    expect(Object.keys(ci.on).sort()).toEqual(['pull_request', 'push']);
  });

  test('may read the repository and nothing else', () => {
    expect(ci.permissions).toEqual({ contents: 'read' });
    expect(Object.values(ci.jobs).filter(({ permissions }) => permissions)).toEqual([]);
  });
});

describe('Deploy', () => {
  const deploy = read('deploy.yml');
  const job = deploy.jobs['deploy'];

  test('is started by hand, for one of the regions', () => {
    expect(deploy.on).toEqual({
      workflow_dispatch: { inputs: { region: { description: 'Service region', type: 'choice', required: true, options: [...regions] } } },
    });
  });

  test('may read the repository and ask for an identity, in its one job, within the environment of the region', () => {
    expect(deploy.permissions).toEqual({});
    expect(Object.keys(deploy.jobs)).toEqual(['deploy']);
    expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(job?.environment).toBe(expression('inputs.region'));
  });

  test('runs one at a time for a region, and is never cancelled half way', () => {
    expect(deploy.concurrency).toEqual({ group: `deploy-${expression('inputs.region')}`, 'cancel-in-progress': false });
  });

  test('installs before it has credentials, shows the difference, deploys the one stack and asks it', () => {
    const isCredentials = ({ uses }: Step) => uses?.startsWith('aws-actions/configure-aws-credentials@') === true;
    const marks = [/npm ci/, isCredentials, /cdk diff "\$STACK"$/, /cdk deploy "\$STACK" --require-approval never/, /curl .*\/api\/v2\//];
    const positions = marks.map((mark) =>
      (job?.steps ?? []).findIndex((step) => (typeof mark === 'function' ? mark(step) : mark.test(step.run ?? ''))),
    );
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions).not.toContain(-1);
    expect(new Set(positions).size).toBe(marks.length);
  });
});
