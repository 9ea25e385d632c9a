import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, posix, win32 } from 'node:path';

/** Sources of a DynamoDB-compatible engine, best first. */
export type EngineSource =
  | { readonly kind: 'dynoxide'; readonly program: string }
  | { readonly kind: 'dynamodb-local'; readonly java: string; readonly folder: string }
  | { readonly kind: 'endpoint'; readonly url: string };

export interface EngineSurroundings {
  /** Ignores the case of names on Windows, as `process.env` does. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Returns the folder of an installed package; undefined if it is not installed. */
  readonly packageFolder: (name: string) => string | undefined;
  /** Reports whether the path is a file. */
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
  exists(path) {
    try {
      return statSync(path).isFile();
    } catch {
      return false; // the path may lead through a folder that this user cannot read
    }
  },
};

/**
 * Systems with a binary in the lockfile, `@dynoxide/<platform>-<processor>`, and their usual names.
 */
export const binaries: Readonly<Record<string, string>> = { 'linux-x64': 'Linux x64' };

export const noEngine = `No embedded database runs on this machine: its own binary is for ${Object.values(binaries).join(', ')}. Elsewhere install Java 17 or later (found on the PATH or in JAVA_HOME), put the program dynoxide on the PATH or its file into DYNOXIDE, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint; docs/local-service.md has a line for each system.`;

/** Returns the best engine; undefined without one. The caller then prints `noEngine`. */
export const locateEngine = (surroundings: EngineSurroundings = thisMachine): EngineSource | undefined => {
  const { env, platform, packageFolder, exists } = surroundings;
  const isWindows = platform === 'win32';
  const { join, delimiter } = isWindows ? win32 : posix;
  // Skips empty entries: they mean the current folder, which must not supply programs.
  const onPath = (isWindows ? env['PATH']?.replaceAll('"', '') : env['PATH'])?.split(delimiter).filter(Boolean) ?? [];
  /** Returns the first program with this name in the folders; on Windows one that needs no shell. */
  const find = (name: string, folders: readonly string[]): string | undefined =>
    folders.map((folder) => join(folder, isWindows ? `${name}.exe` : name)).find(exists);

  const installed = Object.keys(binaries).flatMap((system) => packageFolder(`@dynoxide/${system}`) ?? []);
  // The program that DYNOXIDE names is used even if it does not exist.
  const program = env['DYNOXIDE'] || find('dynoxide', [...onPath, ...installed]);
  if (program) return { kind: 'dynoxide', program };
  const simulator = packageFolder('amplify-dynamodb-simulator');
  const folder = simulator && join(simulator, 'emulator');
  const java = find('java', [...(env['JAVA_HOME'] ? [join(env['JAVA_HOME'], 'bin')] : []), ...onPath]);
  if (folder && java && exists(join(folder, 'DynamoDBLocal.jar'))) return { kind: 'dynamodb-local', java, folder };
  const url = env['AWS_ENDPOINT_URL_DYNAMODB'];
  return url ? { kind: 'endpoint', url } : undefined;
};
