import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { regions } from '../../shared/core/regions.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
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
        readonly needs?: string;
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

  /** Runs the step with the marker like the runner, in a folder that `prepare` has filled. */
  const runStep = (mark: string, prepare: (folder: string) => void, afterwards = '') => {
    const step = (job?.steps ?? []).flatMap(({ run }) => (run?.includes(mark) ? [run] : []))[0] ?? 'false';
    const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
    try {
      mkdirSync(join(folder, 'artifact'));
      prepare(folder);
      return spawnSync('bash', ['-e', '-c', `${step}\n${afterwards}`], { cwd: folder, encoding: 'utf8' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('the CDK command is unpacked of the archive of the lockfile, and of no other', () => {
    const command = (says: string, name: string) => (folder: string) => {
      mkdirSync(join(folder, says));
      writeFileSync(join(folder, says, 'cdk'), says);
      spawnSync('tar', ['--create', '--gzip', '--file', join(folder, 'artifact', name), says], { cwd: folder });
    };
    const unpacked = (locked: string, ...prepare: ((folder: string) => void)[]) =>
      runStep(
        'integrity',
        (folder) => {
          for (const one of prepare) one(folder);
          const integrity = `sha512-${createHash('sha512')
            .update(readFileSync(join(folder, 'artifact', locked)))
            .digest('base64')}`;
          const packages = { 'node_modules/aws-cdk': { version: '1.2.3', integrity } };
          writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
        },
        'cat cdk/cdk',
      );
    const [right, beside, instead] = [
      command('right', 'aws-cdk-1.2.3.tgz'),
      command('beside', 'aws-cdk-1.0.0.tgz'),
      command('instead', 'locked.tgz'),
    ];
    expect(unpacked('aws-cdk-1.2.3.tgz', right)).toMatchObject({ status: 0, stdout: 'right' });
    expect(unpacked('aws-cdk-1.2.3.tgz', right, beside)).toMatchObject({ status: 0, stdout: 'right' });
    expect(unpacked('locked.tgz', right, instead)).toMatchObject({ status: 1, stdout: '' });
  });

  test('assets that name a program to run, or an image to build, are rejected before there is an identity', () => {
    const checked = (assets: object, artifact: object = { type: 'cdk:asset-manifest', properties: { file: 'any.json' } }) =>
      runStep('cdk:asset-manifest', (folder) => {
        mkdirSync(join(folder, 'artifact/cdk.out'));
        writeFileSync(join(folder, 'artifact/cdk.out/manifest.json'), JSON.stringify({ artifacts: { Stack: artifact } }));
        writeFileSync(join(folder, 'artifact/cdk.out/any.json'), JSON.stringify(assets));
      }).status;
    const file = { source: { path: 'asset.1', packaging: 'zip' }, destinations: {} };
    expect(checked({ files: { one: file }, dockerImages: {} })).toBe(0);
    expect(checked({ files: { one: file, two: { source: { executable: ['sh', '-c', 'id'] } } } })).toBe(1);
    expect(checked({ files: {}, dockerImages: { one: { source: { directory: 'asset.2' } } } })).toBe(1);
    expect(checked({}, { type: 'cdk:cloud-assembly', properties: { directoryName: 'within' } })).toBe(1);
    expectInOrder(job?.steps, [/cdk:asset-manifest/, using('aws-actions/configure-aws-credentials')]);
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

  test.each([
    ['typescript-v', JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).version],
    ['service-v', JSON.parse(readFileSync('package.json', 'utf8')).version],
    ['python-v', /"(.*)"/.exec(readFileSync('clients/python/src/bakery_commerce/_version.py', 'utf8'))?.[1]],
  ])('takes the tag %s%s, and no other version', (prefix, version) => {
    const step = commandsOf(release).find((command) => command.includes('GITHUB_REF_NAME is neither'));
    const ends = (tag: string) => spawnSync('bash', ['-ec', step ?? 'false'], { env: { ...process.env, GITHUB_REF_NAME: tag } }).status;
    expect([ends(`${prefix}${version}`), ends(`${prefix}9.9.9`)]).toEqual([0, 1]);
  });
});
