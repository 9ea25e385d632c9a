import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { type Bundle, type Bundles, bundleFunction } from '../../lib/bundle.ts';
import { type FunctionName, functionNames } from '../../lib/functions.ts';

const deployedPolicy = fileURLToPath(new URL('../../shared/webhooks/policy.ts', import.meta.url));
const testPolicy = fileURLToPath(new URL('./policy.ts', import.meta.url));

/**
 * Functions that check a webhook URL or schedule its retries; all others run as they are deployed.
 */
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

/** Every function as it is deployed, except the delivery policy of `loopbackFunctions`. */
export const bundleForTest = async (outputRoot: string): Promise<Bundles> => {
  const pluginsOf = (name: FunctionName): readonly Plugin[] => (loopbackFunctions.includes(name) ? [policyOfTheTest] : []);
  const bundles = await Promise.all(
    functionNames.map(async (name) => [name, await bundleFunction(name, outputRoot, pluginsOf(name))] as const),
  );
  return Object.fromEntries(bundles) as Record<FunctionName, Bundle>;
};
