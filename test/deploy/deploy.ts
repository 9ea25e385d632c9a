import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { awsRegions, type Region, regions } from '../../shared/core/config.ts';
import { mustRun } from './children.ts';
import type { Emulator } from './emulator.ts';

export const accountId = '000000000000';
export const stackName = (region: Region): string => `BakeryCommerce-${region}`;

/** The stage that the assembly holds beside production, and the one stack of it that is deployed. */
const stage = 'staging';
export const stagedRegion: Region = 'au';
export const stagedStack = `BakeryCommerce-${stage}-${stagedRegion}`;

const cdk = (emulator: Emulator, ...args: readonly string[]) => mustRun('cdk', [...args, '--ci', '--no-notices'], { env: emulator.env });

/** The region that is deployed with notices to the platform. */
export const regionWithNotices: Region = 'eu';

/** Synthesizes test/deploy/app.ts once; every deployment reads its stack from the result. */
export const synthesize = (emulator: Emulator): Promise<unknown> => {
  const context = ['--context', `notices.${regionWithNotices}=true`, '--context', `stage=${stage}`];
  return cdk(emulator, 'synth', '--quiet', ...context, '--app', 'node test/deploy/app.ts', '--output', join(emulator.folder, 'assembly'));
};

/**
 * Runs in a folder without cdk.json; otherwise the CLI runs the app first to find the named
 * environments.
 */
export const bootstrap = (emulator: Emulator): Promise<unknown> =>
  mustRun('cdk', ['bootstrap', ...regions.map((region) => `aws://${accountId}/${awsRegions[region]}`), '--ci'], {
    env: emulator.env,
    cwd: emulator.folder,
  });

const approved = ['--require-approval', 'never'];

/** Deploys one stack by name, and resolves with its outputs. */
export const deploy = async (emulator: Emulator, stack: string): Promise<Readonly<Record<string, string>>> => {
  const file = join(emulator.folder, `${stack}.json`);
  const how = ['--method', 'direct', ...approved, '--outputs-file', file];
  await cdk(emulator, 'deploy', stack, '--exclusively', ...how, '--app', join(emulator.folder, 'assembly'));
  const outputs = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
  return outputs[stack] ?? {};
};

/** Deploys one stack in the two steps of the deploy workflow: prepares a change set, then executes it. */
export const deployInTwoSteps = async (emulator: Emulator, stack: string): Promise<void> => {
  for (const method of ['prepare-change-set', 'execute-change-set']) {
    const how = ['--method', method, '--change-set-name', 'plan-1-1', ...approved];
    await cdk(emulator, 'deploy', stack, '--exclusively', ...how, '--app', join(emulator.folder, 'assembly'));
  }
};
