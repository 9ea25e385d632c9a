import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, posix, win32 } from 'node:path';

/** Sources of a DynamoDB-compatible engine, best first. */
export type EngineSource =
  | { readonly kind: 'dynoxide'; readonly program: string }
  | { readonly kind: 'dynamodb-local'; readonly java: string; readonly folder: string }
  | { readonly kind: 'endpoint'; readonly url: string };

export interface EngineSurroundings {
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

export const noEngine = `No embedded database runs on this machine: its own binary is for ${Object.values(binaries).join(', ')}. Elsewhere install Java 17 or later (found on the PATH or in JAVA_HOME), put the program dynoxide on the PATH or its file into DYNOXIDE, or set AWS_ENDPOINT_URL_DYNAMODB to a DynamoDB-compatible endpoint; the README has a line for each system.`;

/** Names of environment variables ignore case on Windows. */
const variable = ({ env, platform }: EngineSurroundings, name: string): string => {
  const spelled = platform === 'win32' ? (Object.keys(env).find((key) => key.toUpperCase() === name) ?? name) : name;
  return env[spelled] ?? '';
};

/** Endings of a program's name: on Windows those of PATHEXT that need no shell. */
const endings = (surroundings: EngineSurroundings): readonly string[] => {
  if (surroundings.platform !== 'win32') return [''];
  const startable = variable(surroundings, 'PATHEXT')
    .split(';')
    .filter((ending) => /^\.(exe|com)$/i.test(ending));
  return startable.length > 0 ? startable : ['.exe'];
};

/** Returns the first program with this name in the folders. */
const findProgram = (surroundings: EngineSurroundings, name: string, folders: readonly string[]): string | undefined => {
  const { join } = surroundings.platform === 'win32' ? win32 : posix;
  return folders
    .flatMap((folder) => endings(surroundings).map((ending) => join(folder, `${name}${ending}`)))
    .find((path) => surroundings.exists(path));
};

/**
 * Returns the folders of the path. Skips empty entries: they mean the current folder, which must
 * not supply programs.
 */
const pathFolders = (surroundings: EngineSurroundings): readonly string[] =>
  variable(surroundings, 'PATH')
    .split(surroundings.platform === 'win32' ? ';' : ':')
    .map((folder) => (surroundings.platform === 'win32' ? folder.replaceAll('"', '') : folder))
    .filter(Boolean);

/**
 * Returns the program that `DYNOXIDE` names, even if it does not exist; otherwise the program on
 * the path; otherwise the program that npm installed for this system.
 */
const findDynoxide = (surroundings: EngineSurroundings): string | undefined => {
  const folders = Object.keys(binaries).flatMap((system) => surroundings.packageFolder(`@dynoxide/${system}`) ?? []);
  return variable(surroundings, 'DYNOXIDE') || findProgram(surroundings, 'dynoxide', [...pathFolders(surroundings), ...folders]);
};

const findJava = (surroundings: EngineSurroundings): string | undefined => {
  const { join } = surroundings.platform === 'win32' ? win32 : posix;
  const home = variable(surroundings, 'JAVA_HOME');
  return findProgram(surroundings, 'java', [...(home ? [join(home, 'bin')] : []), ...pathFolders(surroundings)]);
};

/** Returns the best engine; undefined if there is none. The caller then prints `noEngine`. */
export const locateEngine = (surroundings: EngineSurroundings = thisMachine): EngineSource | undefined => {
  const { packageFolder, exists, platform } = surroundings;
  const program = findDynoxide(surroundings);
  if (program) return { kind: 'dynoxide', program };
  const { join } = platform === 'win32' ? win32 : posix;
  const simulator = packageFolder('amplify-dynamodb-simulator');
  const folder = simulator && join(simulator, 'emulator');
  const java = findJava(surroundings);
  if (folder && java && exists(join(folder, 'DynamoDBLocal.jar'))) return { kind: 'dynamodb-local', java, folder };
  const url = variable(surroundings, 'AWS_ENDPOINT_URL_DYNAMODB');
  return url ? { kind: 'endpoint', url } : undefined;
};
