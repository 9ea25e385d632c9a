import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandsOf, read } from '../repository/workflow-files.ts';

const { plan: job } = read('deploy-stack.yml').jobs;
const release = read('release.yml');

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

test('Deploy unpacks the CDK command only from the archive of the lockfile', () => {
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

test('Deploy rejects assets that name a program or an image before it has an identity', () => {
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
});

test.each([
  ['typescript-v', JSON.parse(readFileSync('clients/typescript/package.json', 'utf8')).version],
  ['service-v', JSON.parse(readFileSync('package.json', 'utf8')).version],
  ['python-v', /"(.*)"/.exec(readFileSync('clients/python/src/bakery_commerce/_version.py', 'utf8'))?.[1]],
])('Release takes the tag %s%s, and no other version', (prefix, version) => {
  const step = commandsOf(release).find((command) => command.includes('GITHUB_REF_NAME is neither'));
  const ends = (tag: string) => spawnSync('bash', ['-ec', step ?? 'false'], { env: { ...process.env, GITHUB_REF_NAME: tag } }).status;
  expect([ends(`${prefix}${version}`), ends(`${prefix}9.9.9`)]).toEqual([0, 1]);
});
