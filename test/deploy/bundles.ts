import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { AwsClient } from '../../lib/aws-clients.ts';
import { type Bundle, type Bundles, buildOptionsOf, bundleFunction } from '../../lib/bundle.ts';
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

const bundleWithLoopback = async (name: FunctionName, awsClient: AwsClient, outputRoot: string): Promise<Bundle> => {
  const directory = `${outputRoot}/${name}`;
  const file = `${directory}/index.mjs`;
  const options = buildOptionsOf(awsClient);
  const { metafile } = await build({
    ...options,
    plugins: [policyOfTheTest, ...options.plugins],
    entryPoints: [`functions/${name}/handler.ts`],
    outfile: file,
  });
  return { directory, file, metafile };
};

/** Every function as it is deployed, but for the delivery policy of `loopbackFunctions`. */
export const bundleForTest = async (awsClient: AwsClient, outputRoot: string): Promise<Bundles> => {
  const bundles = await Promise.all(
    functionNames.map(async (name) => {
      const bundle = loopbackFunctions.includes(name) ? bundleWithLoopback : bundleFunction;
      return [name, await bundle(name, awsClient, outputRoot)] as const;
    }),
  );
  return Object.fromEntries(bundles) as Record<FunctionName, Bundle>;
};
