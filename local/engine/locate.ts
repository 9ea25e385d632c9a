import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/** Where a DynamoDB-compatible engine comes from, best first. */
export type EngineSource =
  | { readonly kind: 'dynoxide'; readonly program: string }
  | { readonly kind: 'dynamodb-local'; readonly java: string; readonly folder: string }
  | { readonly kind: 'endpoint'; readonly url: string };

export interface EngineSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The folder of an installed package, undefined where it is not installed. */
  readonly packageFolder: (name: string) => string | undefined;
  readonly exists: (path: string) => boolean;
}

const require = createRequire(import.meta.url);

export const thisMachine: EngineSurroundings = {
  env: process.env,
  platform: process.platform,
  packageFolder(name) {
    try {
      return dirname(require.resolve(`${name}/package.json`));
    } catch {
      return undefined;
    }
  },
  exists: existsSync,
};

export const noEngine =
  'No embedded database runs on this machine: on Linux or macOS install Java 17 or later, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint.';

/** Not on Windows: there is no shell that would end the engine with this process. */
const findJava = ({ env, platform, exists }: EngineSurroundings): string | undefined =>
  platform === 'win32'
    ? undefined
    : [...(env['JAVA_HOME'] ? [join(env['JAVA_HOME'], 'bin')] : []), ...(env['PATH'] ?? '').split(delimiter).filter(Boolean)]
        .map((folder) => join(folder, 'java'))
        .find(exists);

/** Undefined where nothing is found: say `noEngine` then. */
export const locateEngine = (surroundings: EngineSurroundings = thisMachine): EngineSource | undefined => {
  const { env, packageFolder, exists } = surroundings;
  const dynoxide = packageFolder('@dynoxide/linux-x64');
  if (dynoxide && exists(join(dynoxide, 'dynoxide'))) return { kind: 'dynoxide', program: join(dynoxide, 'dynoxide') };
  const simulator = packageFolder('amplify-dynamodb-simulator');
  const folder = simulator && join(simulator, 'emulator');
  const java = findJava(surroundings);
  if (folder && java && exists(join(folder, 'DynamoDBLocal.jar'))) return { kind: 'dynamodb-local', java, folder };
  const url = env['AWS_ENDPOINT_URL_DYNAMODB'];
  return url ? { kind: 'endpoint', url } : undefined;
};
