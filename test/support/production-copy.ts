import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { contextFiles } from '../container/image.ts';
import { root } from './service.ts';

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

/** Names of the packages directly in `node_modules` after `npm ci --omit=dev`. */
const productionPackages = (): readonly string[] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
  const prefix = 'node_modules/';
  return Object.entries(packages)
    .filter(([path, { dev }]) => path.startsWith(prefix) && path.lastIndexOf(prefix) === 0 && !dev)
    .map(([path]) => path.slice(prefix.length))
    .filter((name) => existsSync(join(root, prefix, name)));
};

/** A folder with the service and its production packages. */
export interface ProductionCopy {
  readonly folder: string;
  remove(): void;
}

/**
 * Copies the files of the service, and links the packages that `npm ci --omit=dev` installs and
 * `others`. Installs nothing.
 */
export const copyForProduction = (others: readonly string[] = []): ProductionCopy => {
  const folder = mkdtempSync(join(tmpdir(), 'production-'));
  for (const file of contextFiles()) cpSync(join(root, file), join(folder, file));
  for (const name of [...productionPackages(), ...others]) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link, 'junction');
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
