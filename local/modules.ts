import { registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Clients of the database engine: the local one, or the SDK as in a deployed function. */
const awsClients = ['local', 'sdk'] as const;
type AwsClient = (typeof awsClients)[number];

/**
 * Returns the client in AWS_CLIENT, or `usual` if it is not set. Throws a sentence if the value is
 * unknown.
 */
export const awsClientOf = ({ AWS_CLIENT: named }: Readonly<Record<string, string | undefined>>, usual: AwsClient): AwsClient => {
  const client = awsClients.find((one) => one === (named ?? usual));
  if (!client) throw new Error(`AWS_CLIENT must be one of ${awsClients.join(', ')}, not "${named}".`);
  return client;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const replaced = /^@aws-sdk\/(client|lib|util)-dynamodb$/;

/**
 * Returns the file of the local client that replaces an SDK package, if deployed source imports
 * that package. The source imports the SDK and has its types. A call of the SDK costs several times
 * the CPU of the engine's work (docs/decisions/0032-aws-sdk-only.md).
 */
export const standInFor = (specifier: string, importer: string): string | undefined => {
  const isDeployed = importer.startsWith(`${root}shared/`) || importer.startsWith(`${root}functions/`);
  return isDeployed && replaced.test(specifier) ? `${root}local/client/dynamodb.ts` : undefined;
};

/**
 * Returns `node:http` without the names that load fetch when they are read. Loading fetch takes a
 * tenth of the startup time.
 */
const httpWithoutFetch = (): string => {
  const http = Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http'));
  const names = Object.keys(http).filter((name) => http[name as keyof typeof http]?.get === undefined);
  return `const http = process.getBuiltinModule('node:http');\nexport const { ${names.join(', ')} } = http;`;
};

const isOurFile = (specifier: string): boolean => /^\.\.?\/.*\.ts$/.test(specifier);

/**
 * Imports of this project's source take a short way, in this order: Node's HTTP without fetch; a file
 * of ours, for which Node would search path and package at every import; the local client for the
 * SDK. Every other import, and all imports of packages, stay as they are.
 */
const shortcut = (specifier: string, parentURL: string, awsClient: AwsClient) => {
  if (!parentURL.startsWith('file:') || parentURL.includes('/node_modules/')) return undefined;
  if (specifier === 'node:http') return { url: `data:text/javascript,${encodeURIComponent(httpWithoutFetch())}` };
  if (isOurFile(specifier)) return { url: new URL(specifier, parentURL).href, format: 'module-typescript' };
  const file = awsClient === 'local' ? standInFor(specifier, fileURLToPath(parentURL)) : undefined;
  return file === undefined ? undefined : { url: pathToFileURL(file).href, format: 'module-typescript' };
};

/** Makes module resolution of this project's source fast, and lets it use the given AWS client. */
export const resolveQuickly = (awsClient: AwsClient): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const found = shortcut(specifier, context.parentURL ?? '', awsClient);
      return found ? { ...found, shortCircuit: true } : next(specifier, context);
    },
  });
};
