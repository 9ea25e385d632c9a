import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type AwsClient, standInFor } from '../lib/aws-clients.ts';

/** A module's whole address by where it is imported: Node would look for it, its real path and its package, every time. */
const ourFile = (specifier: string, parentURL: string): string | undefined =>
  /^\.\.?\/.*\.ts$/.test(specifier) && !parentURL.includes('/node_modules/') ? new URL(specifier, parentURL).href : undefined;

/** `http` with all that needs no fetch, without the names that load it as soon as they are told: a tenth of the time to ready. */
const httpWithoutFetch = (): string => {
  const http = Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http'));
  const names = Object.keys(http).filter((name) => http[name as keyof typeof http]?.get === undefined);
  return `const http = process.getBuiltinModule('node:http');\nexport const { ${names.join(', ')} } = http;`;
};

/** How the service's own source, as it is imported from here on, finds its modules: quickly, and the AWS clients of the given kind. */
export const resolveQuickly = (awsClient: AwsClient): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '', conditions } = context;
      if (!parentURL.startsWith('file:')) return next(specifier, context);
      // What is required, as the SDK does, is read from a file: it cannot be given a text of ours.
      if (specifier === 'node:http' && !conditions?.includes('require'))
        return { url: `data:text/javascript,${encodeURIComponent(httpWithoutFetch())}`, shortCircuit: true };
      const own = ourFile(specifier, parentURL);
      if (own) return { url: own, format: 'module-typescript', shortCircuit: true };
      const file = awsClient === 'lean' ? standInFor(specifier, fileURLToPath(parentURL)) : undefined;
      return file === undefined
        ? next(specifier, context)
        : { url: pathToFileURL(file).href, format: 'module-typescript', shortCircuit: true };
    },
  });
};
