import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { documentPath } from '../../openapi/main.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun, run } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';
import type { Place } from './place.ts';

/**
 * Leaves out methods for webhooks: in Python they do not parse. Leaves out what the test does not
 * compile.
 */
const withoutWebhooks = 'apis,models,supportingFiles,apiDocs=false,apiTests=false,modelDocs=false,modelTests=false';

/** Unions of a text and a map or list, for which Java has no class. */
const unions = ['Address', 'AddressInput', 'CustomFieldValue', 'CustomFieldValueInput'];

/** The options that the guide shows, by generator. */
export const optionsOf = {
  java: [
    ...['--library', 'native', '--additional-properties', 'supportUrlQuery=false'],
    ...['--schema-mappings', unions.map((name) => `${name}=java.lang.Object`).join(',')],
  ],
  go: ['--additional-properties', 'enumClassPrefix=true'],
  python: [],
  rust: [],
  'typescript-fetch': [],
} as const;

type Language = keyof typeof optionsOf;

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
  readonly place: Place;
  readonly python: string;
  readonly go: string;
}

const goEnvironment = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };

const runJava = async ({ place }: Generators, into: string): Promise<void> => {
  const sources = join(into, 'src/main/java');
  await copyFile('test/python/generated/Main.java', join(sources, 'Main.java'));
  const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath';
  await mustRun('mvn', ['--quiet', '--batch-mode', plugin, '-Dmdep.outputFile=classpath.txt'], { cwd: into });
  const compile = 'javac -nowarn -cp "$(cat classpath.txt)" -d classes $(find src/main/java -name "*.java")';
  await mustRun('bash', ['-c', compile], { cwd: into });
  const env = { ...process.env, ...(await place.newAccount()) };
  const { stdout } = await mustRun('bash', ['-c', 'java -cp "classes:$(cat classpath.txt)" Main'], { cwd: into, env });
  const wanted = '1234567.89 1234567.89 true\n13.00 {line1=1 Mill Lane}\n404\n';
  if (stdout !== wanted) throw new Error(`It printed ${stdout}`);
};

const typescript = [
  ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler'],
];

/**
 * Makes a client in each language with openapi-generator, and compiles it; the one in Java is used
 * as well.
 */
export const checkOpenApiGenerator = async (all: Generators): Promise<void> => {
  const { check, print, folder, python, go } = all;
  if (!(await isThere('java', print))) return;
  const generator = await pythonTool('openapi-generator-cli', 'openapiGenerator');
  const make = async (language: Language): Promise<string> => {
    const into = resolve(folder, `openapi-generator-${language}`);
    await mkdir(into);
    const options = ['--global-property', withoutWebhooks, ...optionsOf[language]];
    await mustRun(generator, ['generate', '-i', documentPath, '-g', language, '-o', into, ...options]);
    return into;
  };

  if ((await isThere('javac', print)) && (await isThere('mvn', print)))
    await check('its client in Java creates, lists and reads an expense and an order', async () => {
      await runJava(all, await make('java'));
    });
  await check('its client in Go compiles', async () => {
    await mustRun(go, ['build', './...'], { cwd: await make('go'), env: goEnvironment });
  });
  await check('its client in Python imports', async () => {
    await mustRun(python, ['-c', 'import openapi_client'], { cwd: await make('python') });
  });
  await check('its client in TypeScript compiles', async () => {
    const index = join(await make('typescript-fetch'), 'index.ts');
    await mustRun(process.execPath, ['node_modules/typescript/bin/tsc', ...typescript, index]);
  });
  if (await isThere('cargo', print))
    await check('its client in Rust compiles', async () => {
      const into = await make('rust');
      await copyFile('test/python/generated/Cargo.lock', join(into, 'Cargo.lock'));
      await mustRun('cargo', ['check', '--quiet', '--locked', '--no-default-features'], { cwd: into });
    });
};
