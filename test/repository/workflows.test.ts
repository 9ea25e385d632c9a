import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { regions } from '../../shared/core/config.ts';
import { commandsOf, expression, folder, read, type Step, stepsOf, textOf } from './workflow-files.ts';

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
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(Object.values(workflow.jobs).map(() => false));
  });

  test('ends on its own, each job within an hour', () => {
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
  const { synthesize, deploy: job, check } = deploy.jobs;
  const asksForIdentity = Object.values(deploy.jobs).filter(({ permissions }) => permissions?.['id-token'] !== undefined);

  test('is started by hand, for one of the regions', () => {
    expect(deploy.on).toEqual({
      workflow_dispatch: { inputs: { region: { description: 'Service region', type: 'choice', required: true, options: [...regions] } } },
    });
  });

  test('may read the repository, and ask for an identity in its last two jobs alone, each within an environment of its own', () => {
    expect(deploy.permissions).toEqual({});
    expect(Object.keys(deploy.jobs)).toEqual(['synthesize', 'deploy', 'check']);
    expect(synthesize?.permissions).toEqual({ contents: 'read' });
    expect(asksForIdentity).toEqual([job, check]);
    expect(check).toMatchObject({
      needs: 'deploy',
      environment: `${expression('inputs.region')}-check`,
      permissions: { contents: 'read', 'id-token': 'write' },
    });
    expect(job?.needs).toBe('synthesize');
    expect(job?.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
    expect(job?.environment).toBe(expression('inputs.region'));
  });

  test('runs one at a time for a region, and is never cancelled half way', () => {
    expect(deploy.concurrency).toEqual({ group: `deploy-${expression('inputs.region')}`, 'cancel-in-progress': false });
  });

  type Mark = RegExp | ((step: Step) => boolean);
  const using =
    (action: string): Mark =>
    ({ uses }) =>
      uses?.startsWith(`${action}@`) === true;
  /** Expects a separate step for each marker, in this order. */
  const expectInOrder = (steps: readonly Step[] = [], marks: readonly Mark[]): void => {
    const positions = marks.map((mark) => steps.findIndex((step) => (typeof mark === 'function' ? mark(step) : mark.test(step.run ?? ''))));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(positions).not.toContain(-1);
    expect(new Set(positions).size).toBe(marks.length);
  };

  test('installs and synthesizes the one stack without an identity, and passes on what it made', () => {
    expectInOrder(synthesize?.steps, [/^npm ci/, /cdk synth "\$STACK"/, /^npm pack "aws-cdk@/, using('actions/upload-artifact')]);
  });

  test('runs only the CDK command of packages, as locked, in the job with the identity', () => {
    const commands = (job?.steps ?? []).map(({ run }) => run ?? '').join('\n');
    expect(commands).not.toMatch(/\b(npm|npx|pnpm|yarn|corepack)\b/);
    expectInOrder(job?.steps, [
      using('actions/download-artifact'),
      /integrity[\s\S]*throw new Error/,
      using('aws-actions/configure-aws-credentials'),
    ]);
  });

  test('then shows the difference, deploys what was handed over and asks it', () => {
    expectInOrder(job?.steps, [
      using('aws-actions/configure-aws-credentials'),
      /cdk diff "\$STACK" --app artifact\/cdk\.out$/,
      /cdk deploy "\$STACK" --app artifact\/cdk\.out --require-approval never/,
      /curl .*\/api\/v2\//,
    ]);
  });

  test('at its end proves the stack, with packages that ran no script and an identity that came after them', () => {
    expectInOrder(check?.steps, [
      /^npm ci --ignore-scripts /,
      using('aws-actions/configure-aws-credentials'),
      /^node bin\/ops\.mjs check --stack "\$STACK"$/,
    ]);
    expect(check?.steps.at(-1)?.run).toMatch(/ops\.mjs check/);
    expect(stepsOf(deploy).at(-1)).toBe(check?.steps.at(-1));
    expect((check?.steps ?? []).flatMap(({ run }) => run ?? [])).toHaveLength(2);
  });

  test('judges the assets before there is an identity', () => {
    expectInOrder(job?.steps, [/cdk:asset-manifest/, using('aws-actions/configure-aws-credentials')]);
  });
});

describe('Check', () => {
  const workflow = read('check.yml');
  const { check } = workflow.jobs;

  test('is started every hour, away from the full hour, and by hand', () => {
    expect(workflow.on).toEqual({ schedule: [{ cron: expect.stringMatching(/^([1-9]|[1-5]\d) \* \* \* \*$/) }], workflow_dispatch: null });
  });

  test('checks each deployed region with the identity and the steps of the check after a deployment', () => {
    expect(workflow.permissions).toEqual({});
    expect(Object.keys(workflow.jobs)).toEqual(['check']);
    const { check: deployed } = read('deploy.yml').jobs;
    const ofRegion = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('inputs.region', 'matrix.region'));
    expect(check).toMatchObject(
      ofRegion({ environment: deployed?.environment, permissions: deployed?.permissions, steps: deployed?.steps }),
    );
  });

  test('does nothing until a variable names the regions', () => {
    expect(check).toMatchObject({
      if: "vars.CHECK_REGIONS != ''",
      strategy: { 'fail-fast': false, matrix: { region: expression('fromJSON(vars.CHECK_REGIONS)') } },
    });
  });
});

describe('Release', () => {
  const release = read('release.yml');
  const { build, ...publishers } = release.jobs;

  test('is started by a tag of a client or of the service', () => {
    expect(release.on).toEqual({ push: { tags: ['typescript-v*', 'python-v*', 'service-v*'] } });
  });

  test('builds without an identity, and publishes in an environment, with an identity and nothing installed', () => {
    expect(release.permissions).toEqual({});
    expect(build?.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(publishers)) {
      expect(job).toMatchObject({ needs: 'build', environment: /^(npm|pypi|image)$/.exec(job.environment ?? '')?.[0] });
      expect(job.permissions).toEqual({ contents: 'read', [job.environment === 'image' ? 'packages' : 'id-token']: 'write' });
      expect(job.steps.filter(({ run }) => /\b(npm (ci|install|run)|npx|pip|node)\b/.test(run ?? ''))).toEqual([]);
    }
  });

  test('publishes to npm with a provenance that names this repository', () => {
    expect(commandsOf(release).join('\n')).toContain('npm publish "$(echo ./dist/*.tgz)" --provenance');
    expect(commandsOf(release).join('\n')).toContain('npm pkg set "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"');
    const { repository } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
    expect(repository).toEqual({
      type: 'git',
      url: expect.stringMatching(/^git\+https:\/\/github\.com\/.*\.git$/),
      directory: 'clients/typescript',
    });
  });

  test('publishes the image with a provenance, under a name that a variable sets', () => {
    expect(commandsOf(release).join('\n')).toContain('--provenance mode=max');
    expect(release.jobs['image']?.steps.at(-1)?.env).toMatchObject({
      IMAGE: expression("vars.IMAGE || format('ghcr.io/{0}', github.repository)"),
    });
  });
});
