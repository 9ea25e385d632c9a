import { join } from 'node:path';
import { type Region, regions } from '../../shared/core/config.ts';
import { mustRun } from './children.ts';
import type { Emulator } from './emulator.ts';
import type { Reader } from './reader.ts';

/** A stack that answers requests. */
export interface Deployed {
  readonly region: Region;
  readonly stack: string;
  readonly url: string;
}

export const stackName = (region: Region): string => `BakeryCommerce-${region}`;

/** The stack of the stage in docs/configuration.md. */
export const stagedRegion: Region = 'us';
export const stagedStack = `BakeryCommerce-staging-${stagedRegion}`;
export const stacks = [...regions.map((region) => ({ region, stack: stackName(region) })), { region: stagedRegion, stack: stagedStack }];

/** The region that is deployed with notices to the platform. */
export const regionWithNotices: Region = 'eu';

/** Deploys one stack of an assembly in the two steps of the deploy workflow: prepares a change set, then executes it. */
export const deployInTwoSteps = async ({ env }: Emulator, { folder }: Reader, stack: string): Promise<void> => {
  for (const method of ['prepare-change-set', 'execute-change-set']) {
    const how = ['--method', method, '--change-set-name', 'plan-1-1', '--require-approval', 'never'];
    await mustRun('cdk', ['deploy', stack, '--exclusively', ...how, '--app', join(folder, 'assembly'), '--ci', '--no-notices'], { env });
  }
};

/** Returns the address of a deployed stack. */
export const urlOf = async ({ env }: Emulator, { region, stack }: Omit<Deployed, 'url'>): Promise<string> => {
  const ask = `const { stackOutput } = await import('./ops/deployed.ts');
    process.stdout.write(await stackOutput('${stack}', '${region}', 'ApiUrl', {}));`;
  return (await mustRun('node', ['--input-type=module', '-e', ask], { env })).stdout;
};
