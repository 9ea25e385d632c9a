import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { standInFor } from '../lib/aws-clients.ts';

/** Lets the service's own source, as it is imported from here on, speak to AWS as its deployed bundles do. */
export const useLeanClients = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      const file = parentURL.startsWith('file:') ? standInFor(specifier, fileURLToPath(parentURL)) : undefined;
      return file === undefined ? next(specifier, context) : { url: pathToFileURL(file).href, shortCircuit: true };
    },
  });
};
