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
const standIn = /^@aws-sdk\/(client-dynamodb|lib-dynamodb|util-dynamodb)$/;

/**
 * Returns the file of the local client that replaces an SDK package, if deployed source imports
 * that package. The source imports the SDK and has its types. A call of the SDK costs several times
 * the CPU of the engine's work (docs/decisions/0032-aws-sdk-only.md).
 */
export const standInFor = (specifier: string, importer: string): string | undefined => {
  const [, name] = standIn.exec(specifier) ?? [];
  const isDeployed = importer.startsWith(`${root}shared/`) || importer.startsWith(`${root}functions/`);
  return name && isDeployed ? `${root}local/client/${name}.ts` : undefined;
};

/**
 * Returns the URL of a module of this project from its importer's. Node would search for its path
 * and package at every import.
 */
const ourFile = (specifier: string, parentURL: string): string | undefined =>
  /^\.\.?\/.*\.ts$/.test(specifier) ? new URL(specifier, parentURL).href : undefined;

/**
 * Returns `node:http` without the names that load fetch when they are read. Loading fetch takes a
 * tenth of the startup time.
 */
const httpWithoutFetch = (): string => {
  const http = Object.getOwnPropertyDescriptors(process.getBuiltinModule('node:http'));
  const names = Object.keys(http).filter((name) => http[name as keyof typeof http]?.get === undefined);
  return `const http = process.getBuiltinModule('node:http');\nexport const { ${names.join(', ')} } = http;`;
};

/** Makes module resolution of this project's source fast, and lets it use the given AWS client. */
export const resolveQuickly = (awsClient: AwsClient): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context;
      // Imports of packages stay unchanged, and a URL without a file has no relative imports.
      if (!parentURL.startsWith('file:') || parentURL.includes('/node_modules/')) return next(specifier, context);
      if (specifier === 'node:http') return { url: `data:text/javascript,${encodeURIComponent(httpWithoutFetch())}`, shortCircuit: true };
      const own = ourFile(specifier, parentURL);
      if (own) return { url: own, format: 'module-typescript', shortCircuit: true };
      const file = awsClient === 'local' ? standInFor(specifier, fileURLToPath(parentURL)) : undefined;
      return file === undefined
        ? next(specifier, context)
        : { url: pathToFileURL(file).href, format: 'module-typescript', shortCircuit: true };
    },
  });
};
