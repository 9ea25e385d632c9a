import { cpSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { mustRun } from '../deploy/children.ts';

/** Foreign packages, which the lane installs beside the repository. */
export interface Tools {
  readonly folder: string;
  readonly postman: any;
  readonly newman: any;
}

/** Installs the packages of `test/integrators` into a folder of their own. */
export const installTools = async (): Promise<Tools> => {
  const folder = resolve('.local/integrators');
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(resolve('test/integrators/packages', file), join(folder, file));
  cpSync(resolve('.npmrc'), join(folder, '.npmrc'));
  await mustRun('npm', ['ci', '--ignore-scripts', '--no-audit'], { cwd: folder });
  const load = createRequire(join(folder, 'package.json'));
  return { folder, postman: load('openapi-to-postmanv2'), newman: load('newman') };
};
