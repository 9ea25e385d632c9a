import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type FunctionName, functionNames } from './functions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Loads a module of Node at its first use. An ESM import of `node:http` takes 25 ms at cold start,
 * because it also loads undici. `node:zlib` and `node:util` are imported everywhere but rarely
 * used.
 */
const builtinsAtFirstUse: Plugin = {
  name: 'builtins-at-first-use',
  setup({ onResolve, onLoad }) {
    const modules = builtinModules.filter((name) => !name.startsWith('_')).map((name) => name.replace('/', '\\/'));
    onResolve({ filter: new RegExp(`^(node:)?(${modules.join('|')})$`) }, ({ path }) => ({ path, namespace: 'builtin' }));
    // esbuild lets an importer inherit from a module's prototype. Here the prototype is a proxy
    // that loads the module of Node.
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: [
        `const load = () => process.getBuiltinModule(${JSON.stringify(path)});`,
        "const get = (_, name) => name === '__esModule' || (name === 'default' ? load() : load()[name]);",
        'module.exports = Object.create(new Proxy({}, { get }));',
      ].join('\n'),
      loader: 'js',
    }));
  },
};

/**
 * Lambda gives credentials and configuration in the environment. Searching credentials elsewhere is
 * a third of the SDK's bytes and takes 9 ms to load. Searching files in a home folder takes another
 * 4 ms.
 */
const environmentOnly: Plugin = {
  name: 'environment-only',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /shared-ini-file-loader[\\/]loadSharedConfigFiles\.js$/ }, () => ({
      contents: [
        "export { CONFIG_PREFIX_SEPARATOR } from './constants';",
        'export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });',
      ].join('\n'),
      loader: 'js',
    }));
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path }) => ({ path, namespace: 'environment-credentials' }));
    onLoad({ filter: /.*/, namespace: 'environment-credentials' }, () => ({
      contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
      resolveDir: root,
    }));
  },
};

/**
 * Leaves out parts of the SDK that this service never uses, a tenth of a bundle: event streams, the
 * parser of browsers' names, the cache of endpoint discovery, a SHA-256 in JavaScript, the search for
 * the region of an instance, and package manifests of which the SDK reads the version. Modules of
 * Node that the SDK imports dynamically get no separate file, because a cold start would read it.
 */
const unreachedParts: Plugin = {
  name: 'unreached-parts',
  setup({ onResolve, onLoad }) {
    // Node has its own SHA-256, and Lambda always names the region.
    onLoad({ filter: /[\\/]Sha256Js\.js$/ }, () => ({ contents: 'export class Sha256Js {}', loader: 'js' }));
    onLoad({ filter: /[\\/]getInstanceMetadataRegion\.js$/ }, () => ({
      contents: 'export const getInstanceMetadataRegion = async () => undefined;',
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]@(aws|aws-sdk|smithy)[\\/].+\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replace(/import\(['"](node:[^'"]+)['"]\)/g, 'process.getBuiltinModule("$1")')
        .replace(/import\("(@smithy\/core\/event-streams|bowser)"\)/g, 'undefined'),
    }));
    onResolve({ filter: /^@aws-sdk\/endpoint-cache$/ }, ({ path }) => ({ path, namespace: 'endpoint-cache' }));
    onLoad({ filter: /.*/, namespace: 'endpoint-cache' }, () => ({ contents: 'export class EndpointCache {}', loader: 'js' }));
    onLoad({ filter: /@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version: (manifest as { version: string }).version }), loader: 'json' };
    });
  },
};

/** Returns the names that a file exports. Throws if it finds none. */
const exportedNames = async (path: string): Promise<readonly string[]> => {
  const names = [...(await readFile(path, 'utf8')).matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`${path} exports no building block of fields.`);
  return names;
};

/**
 * Leaves out what bundles do not need of the declarations of fields. Types and descriptions are only
 * for the OpenAPI document: each building block becomes an empty function, and esbuild removes calls
 * of empty functions with their texts. A declaration that a function does not use is removed whole,
 * because its calls are marked as free of side effects; esbuild detects that only within a file. The
 * build fails if it finds no call to mark in a `fields.ts`.
 */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]shared[\\/]domain[\\/]wire-shape\.ts$/ }, async ({ path }) => ({
      contents: (await exportedNames(path)).map((name) => `export function ${name}() {}`).join('\n'),
      loader: 'js',
    }));
    onLoad({ filter: /[\\/]shared[\\/]domain[\\/][^\\/]+[\\/]fields\.ts$/ }, async ({ path }) => {
      const blocks = ['record-fields.ts', 'wire-shape.ts'].map((file) => exportedNames(resolve(path, '../..', file)));
      const names = (await Promise.all(blocks)).flat();
      const source = await readFile(path, 'utf8');
      const contents = source.replace(new RegExp(`\\b(${names.join('|')})\\(`, 'g'), '/* @__PURE__ */ $&');
      if (contents === source) throw new Error(`${path} declares no field with a building block of record-fields.ts or wire-shape.ts.`);
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Makes the entry of a group that needs only the services of every API function. These entries
 * differ in the group's name only.
 */
const plainEntries: Plugin = {
  name: 'plain-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^functions\/[^/]+\/handler\.ts$/ }, ({ path, kind }) =>
      kind === 'entry-point' && !existsSync(`${root}${path}`) ? { path, namespace: 'plain-entry' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'plain-entry' }, ({ path }) => {
      const [, name] = path.split('/');
      return {
        contents: [
          "import { api } from './shared/http/chain.ts';",
          "import { deployedApiServices } from './shared/services.ts';",
          "import { openApiStore } from './shared/table/store.ts';",
          `import { ${name} } from './functions/${name}/app.ts';`,
          `import { routes } from './functions/${name}/routes.ts';`,
          'const services = deployedApiServices(openApiStore);',
          `export const handler = api(routes, ${name}(services), services);`,
        ].join('\n'),
        loader: 'ts',
        resolveDir: root,
      };
    });
  },
};

/**
 * Options with which every deployed function is built. All measures for fast cold starts are here
 * and not in the source.
 */
export const buildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // Modules that are imported at first use get a separate file. In the same file, they would keep
  // all shared parts of the SDK.
  splitting: true,
  entryNames: 'index',
  outExtension: { '.js': '.mjs' },
  // Prefers ES modules, because CommonJS builds prevent tree shaking.
  mainFields: ['module', 'main'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
  // The SDK tests every body for these classes, and naming a class loads it (3 ms). Bodies of
  // Node's client are instances of neither.
  define: { Blob: 'undefined', ReadableStream: 'undefined' },
  plugins: [plainEntries, withoutDescriptions, builtinsAtFirstUse, environmentOnly, unreachedParts],
} as const satisfies BuildOptions;

export interface Bundle {
  /** Holds index.mjs and the files that it imports. */
  readonly directory: string;
  /** Path of index.mjs. */
  readonly file: string;
  /**
   * Paths of the files that a cold start loads: index.mjs and its static imports. Other files load
   * at first use.
   */
  readonly loaded: readonly string[];
  /** Paths of all files. */
  readonly files: readonly string[];
  readonly metafile: Metafile;
}

const loadedFrom = (outputs: Metafile['outputs'], path: string): readonly string[] => [
  path,
  ...(outputs[path]?.imports ?? []).filter(({ kind }) => kind === 'import-statement').flatMap((one) => loadedFrom(outputs, one.path)),
];

/** Bundles one function. Plugins in `first` run before those of every deployed function. */
export const bundleFunction = async (name: FunctionName, outputRoot: string, first: readonly Plugin[] = []): Promise<Bundle> => {
  const directory = `${outputRoot}/${name}`;
  const file = `${directory}/index.mjs`;
  // File names depend on their contents, so files of an earlier build would stay and be deployed as
  // well.
  await rm(directory, { recursive: true, force: true });
  const { metafile } = await build({
    ...buildOptions,
    plugins: [...first, ...buildOptions.plugins],
    entryPoints: [`functions/${name}/handler.ts`],
    outdir: directory,
  });
  const absolute = (paths: readonly string[]): readonly string[] => [...new Set(paths)].map((path) => resolve(root, path));
  const [entry = ''] = Object.keys(metafile.outputs).filter((path) => path.endsWith('/index.mjs'));
  return {
    ...{ directory, file, metafile },
    loaded: absolute(loadedFrom(metafile.outputs, entry)),
    files: absolute(Object.keys(metafile.outputs)),
  };
};

/** Every function by its name. */
export type Bundles = Readonly<Record<FunctionName, Bundle>>;

/** Bundles every function of the function table. */
export const bundleFunctions = async (outputRoot = `${root}cdk.out/bundles`): Promise<Bundles> => {
  const bundles = await Promise.all(functionNames.map(async (name) => [name, await bundleFunction(name, outputRoot)] as const));
  return Object.fromEntries(bundles) as Record<FunctionName, Bundle>;
};
