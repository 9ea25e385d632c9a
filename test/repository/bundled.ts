import { build } from 'esbuild';
import { buildOptions } from '../../lib/bundle.ts';
import { functionNames } from '../../lib/functions.ts';

/**
 * Paths under node_modules of every package that has bytes in a deployed function; nothing is
 * written.
 */
export const bundledPackages = async (): Promise<ReadonlySet<string>> => {
  const { metafile } = await build({
    ...buildOptions,
    entryPoints: functionNames.map((name) => `functions/${name}/handler.ts`),
    entryNames: '[dir]/[name]',
    outdir: 'cdk.out/house',
    write: false,
  });
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return new Set(inputs.flatMap(([path]) => /^(?:.*:)?((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
};
