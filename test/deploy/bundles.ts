import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { type Bundle, type Bundles, buildOptions, bundleFunction } from '../../lib/bundle.ts';
import { type FunctionName, functionNames } from '../../lib/functions.ts';

const deployedPolicy = fileURLToPath(new URL('../../shared/webhooks/policy.ts', import.meta.url));
const testPolicy = fileURLToPath(new URL('./policy.ts', import.meta.url));

/** Functions that judge a webhook URL or arrange its retries; all others are deployed as they are. */
export const loopbackFunctions: readonly FunctionName[] = ['deliver', 'webhooks'];

const policyOfTheTest: Plugin = {
  name: 'policy-of-the-test',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /\/policy\.ts$/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved') return undefined;
      const resolved = await resolve(path, { ...options, pluginData: 'resolved' });
      return resolved.path === deployedPolicy ? { ...resolved, path: testPolicy } : resolved;
    });
  },
};

const bundleWithLoopback = async (name: FunctionName, outputRoot: string): Promise<Bundle> => {
  const directory = `${outputRoot}/${name}`;
  const file = `${directory}/index.mjs`;
  const { metafile } = await build({
    ...buildOptions,
    plugins: [policyOfTheTest, ...buildOptions.plugins],
    entryPoints: [`functions/${name}/handler.ts`],
    outdir: directory,
  });
  return { directory, file, metafile };
};

/** Every function as it is deployed, but for the delivery policy of `loopbackFunctions`. */
export const bundleForTest = async (outputRoot: string): Promise<Bundles> => {
  const bundles = await Promise.all(
    functionNames.map(async (name) => {
      const bundle = loopbackFunctions.includes(name) ? bundleWithLoopback : bundleFunction;
      return [name, await bundle(name, outputRoot)] as const;
    }),
  );
  return Object.fromEntries(bundles) as Record<FunctionName, Bundle>;
};
