import { registerHooks } from 'node:module';

/**
 * Returns `node:http` without the names that load fetch when they are read. Loading fetch takes a
 * tenth of the startup time.
 */
const httpWithoutFetch = (): string => {
  const http = Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http'));
  const names = Object.keys(http).filter((name) => http[name as keyof typeof http]?.get === undefined);
  return `const http = process.getBuiltinModule('node:http');\nexport const { ${names.join(', ')} } = http;`;
};

const sdk = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'];

const isOurFile = (specifier: string): boolean => /^\.\.?\/.*\.ts$/.test(specifier);

/**
 * Imports of this project's source take a short way: Node's HTTP without fetch, the SDK's names without
 * its client, and files of ours, for which Node would search path and package at every import. Every
 * other import stays as it is.
 */
const shortcut = (specifier: string, parentURL: string) => {
  // Middy imports the names of statuses, and with them the whole of `node:http`.
  const isMiddy = parentURL.includes('/node_modules/@middy/');
  if (!parentURL.startsWith('file:') || (parentURL.includes('/node_modules/') && !isMiddy)) return undefined;
  if (specifier === 'node:http') return { url: `data:text/javascript,${encodeURIComponent(httpWithoutFetch())}` };
  if (sdk.includes(specifier)) return { url: new URL('engine/sdk.ts', import.meta.url).href, format: 'module-typescript' };
  return isOurFile(specifier) ? { url: new URL(specifier, parentURL).href, format: 'module-typescript' } : undefined;
};

/** Makes module resolution of this project's source fast. */
export const resolveQuickly = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const found = shortcut(specifier, context.parentURL ?? '');
      return found ? { ...found, shortCircuit: true } : next(specifier, context);
    },
  });
};
