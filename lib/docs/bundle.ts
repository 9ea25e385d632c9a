import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildOptions } from '../bundle.ts';
import type { DocsSettings } from './settings.ts';

/** Writes the site for the hosts of a deployment into a new folder. */
export type WriteSite = (folder: string, hosts: DocsSettings['hosts']) => Promise<unknown>;

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the publisher of each docs stack with its site. Returns their folders by the stack's name. */
export const bundleDocs = async (
  all: readonly DocsSettings[],
  writeSite: WriteSite,
  outputRoot = `${root}cdk.out/bundles`,
): Promise<Readonly<Record<string, string>>> => {
  const folders = all.map(async ({ stackName, hosts }) => {
    const folder = `${outputRoot}/${stackName}`;
    await rm(folder, { recursive: true, force: true });
    await build({ ...buildOptions, entryPoints: ['lib/docs/publisher.ts'], outdir: folder });
    await writeSite(`${folder}/site`, hosts);
    return [stackName, folder] as const;
  });
  return Object.fromEntries(await Promise.all(folders));
};
