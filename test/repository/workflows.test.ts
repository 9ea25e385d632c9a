import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { regions } from '../../shared/core/config.ts';
import { commandsOf, expression, folder, read, type Step, stepsOf, textOf } from './workflow-files.ts';

describe.each(readdirSync(folder))('%s', (file) => {
  const workflow = read(file);

  test(`${file} pins every action by commit, with its release in a comment`, () => {
    const uses = textOf(file).match(/uses: .*/g) ?? [];
    const pinned = /^uses: ([\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/[\w-]+\.yml)$/;
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
  });

  test(`${file} pastes no expression into a script`, () => {
    expect(commandsOf(workflow).filter((command) => command.includes('${{'))).toEqual([]);
  });

  test(`${file} uses no stored secret, and leaves no token in the checkout`, () => {
    expect(textOf(file)).not.toMatch(/secrets\.|access-key/);
    const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(
      Object.values(workflow.jobs).flatMap(({ steps }) => (steps ? [false] : [])),
    );
  });

  test(`${file} ends on its own, each job within an hour`, () => {
    const limits = Object.values(workflow.jobs).flatMap((job) => (job.steps ? [job['timeout-minutes'] ?? Number.POSITIVE_INFINITY] : []));
    expect(Math.max(...limits)).toBeLessThanOrEqual(60);
  });
});

describe('the workflow CI', () => {
  const ci = read('ci.yml');

  test('CI calls .ci/run, and on each system the start that the README describes', () => {
    expect(commandsOf(ci)).toEqual(['.ci/run', 'npm ci --no-audit', 'node test/all/first-requests.ts']);
  });

  test('CI runs on every change, never with the rights of the target branch', () => {
    expect(Object.keys(ci.on).sort()).toEqual(['pull_request', 'push']);
  });

  test('CI may read the repository and nothing else', () => {
    expect(ci.permissions).toEqual({ contents: 'read' });
    expect(Object.values(ci.jobs).filter(({ permissions }) => permissions)).toEqual([]);
  });
});

describe('the workflow Deploy', () => {
  const all = read('deploy.yml');
  const one = read('deploy-stack.yml');
  const { synthesize } = all.jobs;
  const { plan, deploy, check } = one.jobs;
  const mayAsk = { contents: 'read', 'id-token': 'write' };

  test('Deploy is started by hand, for one of the regions or all', () => {
    const region = { description: expect.any(String), type: 'choice', required: true, options: [...regions, 'all'] };
    expect(all.on).toEqual({ workflow_dispatch: { inputs: { region } } });
    expect(Object.keys(one.on)).toEqual(['workflow_call']);
  });

  test('Deploy builds once, and deploys the stage, then eu, au and us from that build; a failure stops it', () => {
    expect([all.permissions, one.permissions]).toEqual([{}, {}]);
    expect(synthesize?.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(all.jobs)).toEqual(['synthesize', 'stage', 'eu', 'au', 'us']);
    expect(Object.values(all.jobs).map(({ needs }) => needs)).toEqual([
      undefined,
      'synthesize',
      ['synthesize', 'stage'],
      ['synthesize', 'stage', 'eu'],
      ['synthesize', 'stage', 'eu', 'au'],
    ]);
    for (const region of regions)
      expect(all.jobs[region]).toMatchObject({
        if: expect.stringContaining(`!failure() && !cancelled() && contains(fromJSON('["${region}", "all"]'), inputs.region)`),
        permissions: mayAsk,
        uses: './.github/workflows/deploy-stack.yml',
        with: { place: region },
      });
    for (const { steps = [] } of Object.values(one.jobs)) expect(steps.filter(({ run }) => /cdk synth/.test(run ?? ''))).toEqual([]);
  });

  test('the workflow Deploy has three identities for a stack, each in its own environment', () => {
    const stack = expression('inputs.place');
    expect(Object.keys(one.jobs)).toEqual(['plan', 'deploy', 'check']);
    for (const job of Object.values(one.jobs)) expect(job.permissions).toEqual(mayAsk);
    expect([plan, deploy, check].map((job) => job?.environment)).toEqual([`${stack}-plan`, stack, `${stack}-check`]);
  });

  test('Deploy runs one at a time for a stack, and is never cancelled half way', () => {
    expect(all.jobs['stage']?.strategy).toMatchObject({ 'fail-fast': false });
    expect(one.concurrency).toEqual({ group: `deploy-${expression('inputs.place')}`, 'cancel-in-progress': false });
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
  const commandsIn = (steps: readonly Step[] = []): string => steps.map(({ run }) => run ?? '').join('\n');

  test('Deploy installs and synthesizes every stack without an identity, and passes on what it made', () => {
    expectInOrder(synthesize?.steps, [/^npm ci/, /cdk synth --quiet/, /^npm pack "aws-cdk@/, using('actions/upload-artifact')]);
  });

  test('Deploy runs only the locked CDK command in the plan, and no command of a package in the deployment', () => {
    for (const job of [plan, deploy]) expect(commandsIn(job?.steps)).not.toMatch(/\b(npm|npx|pnpm|yarn|corepack)\b/);
    expectInOrder(plan?.steps, [
      using('actions/download-artifact'),
      /integrity[\s\S]*throw new Error/,
      /cdk:asset-manifest/,
      using('aws-actions/configure-aws-credentials'),
    ]);
    expect(commandsIn(deploy?.steps)).not.toContain('cdk/bin/cdk');
  });

  test('Deploy shows a change set before the approval, with the difference of templates and code', () => {
    expectInOrder(plan?.steps, [
      using('aws-actions/configure-aws-credentials'),
      /cdk diff "\$STACK" --app artifact\/cdk\.out --exclusively --method template/,
      /cdk deploy "\$STACK" --app artifact\/cdk\.out --exclusively --method prepare-change-set --change-set-name "\$CHANGE_SET"/,
      /plan\.ts summary[\s\S]*GITHUB_STEP_SUMMARY[\s\S]*plan\.ts executable/,
    ]);
    expect(plan?.outputs).toEqual({ 'change-set': expression('steps.plan.outputs.change-set') });
  });

  test('Deploy executes the approved change set, sets the stack policy and asks the API', () => {
    expect(deploy).toMatchObject({ needs: 'plan', if: "needs.plan.outputs.change-set != ''" });
    expect(deploy).toMatchObject({ env: { CHANGE_SET: expression('needs.plan.outputs.change-set') } });
    expectInOrder(deploy?.steps, [
      using('aws-actions/configure-aws-credentials'),
      /execute-change-set --stack-name "\$STACK" --change-set-name "\$CHANGE_SET"/,
      /set-stack-policy .* file:\/\/lib\/stack-policy\.json$/,
      /curl .*\/api\/v2\//,
    ]);
    expect(commandsIn(deploy?.steps)).not.toMatch(/create-change-set|update-stack|create-stack/);
  });

  test('Deploy ends with a check of the stack; its packages ran no script before it had an identity', () => {
    expect(check?.needs).toEqual(['plan', 'deploy']);
    expectInOrder(check?.steps, [
      /^npm ci --ignore-scripts /,
      using('aws-actions/configure-aws-credentials'),
      /^node bin\/ops\.mjs check --stack "\$STACK"$/,
      /^sleep .* && node bin\/ops\.mjs check --stack "\$STACK"$/,
    ]);
    expect((check?.steps ?? []).flatMap(({ run }) => run ?? [])).toHaveLength(3);
  });
});

describe('the workflow Check', () => {
  const workflow = read('check.yml');
  const { check } = workflow.jobs;

  test('Check is started every hour, away from the full hour, and by hand', () => {
    expect(workflow.on).toEqual({ schedule: [{ cron: expect.stringMatching(/^([1-9]|[1-5]\d) \* \* \* \*$/) }], workflow_dispatch: null });
  });

  test('Check runs the steps of the check after a deployment in each region, at the deployed commit', () => {
    expect(workflow.permissions).toEqual({});
    expect(Object.keys(workflow.jobs)).toEqual(['check']);
    const { check: deployed } = read('deploy-stack.yml').jobs;
    const ofRegion = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('inputs.place', 'matrix.region'));
    expect(check?.environment).toEqual(ofRegion(deployed?.environment));
    expect(check?.permissions).toEqual({ ...deployed?.permissions, actions: 'read' });
    const [find, checkout, ...others] = check?.steps ?? [];
    const [first, ...rest] = ofRegion(deployed?.steps ?? []);
    expect(find?.run).toContain('--workflow deploy.yml --status success');
    expect(checkout).toEqual({ ...first, with: { ...first?.with, ref: expression('steps.deployed.outputs.commit') } });
    // Without the pause before the next region.
    expect(others).toEqual(rest.slice(0, -1));
    expect(others.length).toBeGreaterThan(3);
  });

  test('Check does nothing until a variable names the regions', () => {
    expect(check).toMatchObject({
      if: "vars.CHECK_REGIONS != ''",
      strategy: { 'fail-fast': false, matrix: { region: expression('fromJSON(vars.CHECK_REGIONS)') } },
    });
  });
});

describe('the workflow Release', () => {
  const release = read('release.yml');
  const { build, attach, ...publishers } = release.jobs;

  test('Release is started by a tag of a client or of the service', () => {
    expect(release.on).toEqual({ push: { tags: ['typescript-v*', 'python-v*', 'service-v*'] } });
  });

  test('Release builds without an identity, and publishes in an environment, with an identity and nothing installed', () => {
    expect(release.permissions).toEqual({});
    expect(build?.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(publishers)) {
      expect(job).toMatchObject({ needs: 'build', environment: /^(npm|pypi|image)$/.exec(job.environment ?? '')?.[0] });
      expect(job.permissions).toEqual({ contents: 'read', [job.environment === 'image' ? 'packages' : 'id-token']: 'write' });
      expect((job.steps ?? []).filter(({ run }) => /\b(npm (ci|install|run)|npx|pip|node)\b/.test(run ?? ''))).toEqual([]);
    }
  });

  test('Release attaches the packages of the clients to a release of the tag, with nothing installed', () => {
    expect(attach).toMatchObject({ needs: 'build', permissions: { contents: 'write' } });
    expect((attach?.steps ?? []).flatMap(({ run }) => run ?? [])).toEqual([
      expect.stringContaining('gh release upload "$GITHUB_REF_NAME" dist/*'),
    ]);
  });

  test('Release publishes to npm with a provenance that names this repository', () => {
    expect(commandsOf(release).join('\n')).toContain('npm publish "$(echo ./dist/*.tgz)" --provenance');
    expect(commandsOf(release).join('\n')).toContain('npm pkg set "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"');
    const { repository } = JSON.parse(readFileSync('clients/typescript/package.json', 'utf8'));
    expect(repository).toEqual({
      type: 'git',
      url: expect.stringMatching(/^git\+https:\/\/github\.com\/.*\.git$/),
      directory: 'clients/typescript',
    });
  });

  test('Release publishes the image with a provenance, under a name that a variable sets', () => {
    expect(commandsOf(release).join('\n')).toContain('--provenance mode=max');
    expect(release.jobs['image']?.steps?.at(-1)?.env).toMatchObject({
      IMAGE: expression("vars.IMAGE || format('ghcr.io/{0}', github.repository)"),
    });
  });
});
