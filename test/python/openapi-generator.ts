import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { reducedPath } from '../../openapi/document.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun, run } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';
import type { Service } from './service.ts';

/** Each generator with its only options, which name a language and a library. */
const named = {
  java: ['-g', 'java', '--library', 'native'],
  go: ['-g', 'go'],
  python: ['-g', 'python'],
  rust: ['-g', 'rust'],
  'typescript-axios': ['-g', 'typescript-axios'],
  'typescript-fetch': ['-g', 'typescript-fetch'],
} as const;

type Language = keyof typeof named;

/** Whether the machine has the command; prints that a check is skipped if not. */
const isThere = async (command: string, print: (line: string) => void): Promise<boolean> => {
  const found = (await run(command, ['--version']).catch(() => undefined))?.code === 0;
  if (!found) print(`skip  openapi-generator: ${command} is not on this machine`);
  return found;
};

export interface Generators {
  readonly check: Check;
  readonly print: (line: string) => void;
  readonly folder: string;
  readonly service: Service;
  readonly python: string;
  readonly go: string;
}

const goEnvironment = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };

/** The output of the programs in `generated`: an expense, an order, and an expense that is missing. */
const printed = '1234567.89 1234567.89 true\n13.00 1 Mill Lane\n404 not_found\n';
const mustPrint = async (command: string, args: readonly string[], cwd: string, env: object): Promise<void> => {
  const { stdout } = await mustRun(command, args, { cwd, env: { ...process.env, ...env } });
  if (stdout !== printed) throw new Error(`It printed ${stdout}`);
};

const runJava = async ({ service }: Generators, into: string): Promise<void> => {
  await copyFile('test/python/generated/Main.java', join(into, 'src/main/java/Main.java'));
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
  await mustRun('mvn', ['--quiet', '--batch-mode', plugin, '-Dmdep.outputFile=classpath.txt'], { cwd: into });
  const compile = 'javac -nowarn -cp "$(cat classpath.txt)" -d classes $(find src/main/java -name "*.java")';
  await mustRun('bash', ['-c', compile], { cwd: into });
  await mustPrint('bash', ['-c', 'java -cp "classes:$(cat classpath.txt)" Main'], into, await service.newAccount());
};

const runGo = async ({ service, go }: Generators, into: string): Promise<void> => {
  await mkdir(join(into, 'program'));
  await copyFile('test/python/generated/program.go', join(into, 'program/main.go'));
  await mustPrint(go, ['run', './program'], into, { ...goEnvironment, ...(await service.newAccount()) });
};

const runPython = async ({ service, python }: Generators, into: string): Promise<void> => {
  await mustPrint(python, ['test/python/generated/program.py'], process.cwd(), { ...(await service.newAccount()), PYTHONPATH: into });
};

const typescript = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler'],
];

const compileTypescript = async (into: string): Promise<void> => {
  // The one for axios imports its types.
  await symlink(resolve('node_modules'), join(into, 'node_modules'));
  await mustRun(process.execPath, ['node_modules/typescript/bin/tsc', ...typescript, join(into, 'index.ts')]);
};

/**
 * Makes a client in each language with openapi-generator, without options, and compiles it. Those
 * in Java, Go and Python are used as well.
 */
export const checkOpenApiGenerator = async (all: Generators): Promise<void> => {
  const { check, print, folder } = all;
  if (!(await isThere('java', print))) return;
  const generator = await pythonTool('openapi-generator-cli', 'openapiGenerator');
  const make = async (language: Language): Promise<string> => {
    const into = resolve(folder, `openapi-generator-${language}`);
    await mkdir(into);
    await mustRun(generator, ['generate', '-i', reducedPath, '-o', into, ...named[language]]);
    return into;
  };

  const uses = 'creates, lists and reads an expense and an order';
  if ((await isThere('javac', print)) && (await isThere('mvn', print)))
    await check(`its client in Java ${uses}`, async () => runJava(all, await make('java')));
  await check(`its client in Go ${uses}`, async () => runGo(all, await make('go')));
  await check(`its client in Python ${uses}`, async () => runPython(all, await make('python')));
  for (const language of ['typescript-axios', 'typescript-fetch'] as const)
    await check(`its client ${language} compiles`, async () => compileTypescript(await make(language)));
  if (await isThere('cargo', print))
    await check('its client in Rust compiles', async () => {
      const into = await make('rust');
      await copyFile('test/python/generated/Cargo.lock', join(into, 'Cargo.lock'));
      await mustRun('cargo', ['check', '--quiet', '--locked', '--no-default-features'], { cwd: into });
    });
};
