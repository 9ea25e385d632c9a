import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds one ES module for browsers with all its imports except `external`. */
export const bundleModule = async (entry: string, external: readonly string[] = []): Promise<Buffer> => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'inline',
    external: [...external],
  });
  const [module] = outputFiles;
  if (!module) throw new Error(`${entry} has no output.`);
  return Buffer.from(module.contents);
};

/** In the order in which rules override each other. */
const styles = ['1-page.css', '2-parts.css', '3-rows.css', '4-dialogs.css', '5-chart.css'];

/** Returns the page's files by name: a module and its stylesheet. */
export const buildPage = async (): Promise<ReadonlyMap<string, Buffer>> =>
  new Map([
    ['developers-page.js', await bundleModule(here('src/mount.tsx'))],
    ['developers-page.css', Buffer.concat(await Promise.all(styles.map((name) => readFile(here(`styles/${name}`)))))],
  ]);

if (import.meta.main) {
  const target = here('dist/');
  await mkdir(target, { recursive: true });
  for (const [name, bytes] of await buildPage()) await writeFile(`${target}${name}`, bytes);
}
