import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { reducedPath } from '../../openapi/document.ts';
import { endpoints } from '../contract/specification.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun } from '../deploy/children.ts';
import type { Service } from './service.ts';

/** The document that no generator needs an option for. */
const document = resolve(reducedPath);
/** Everything that the document has and a client therefore needs. */
const operations = endpoints.length;
const count = (found: number): void => {
  if (found !== operations) throw new Error(`${found} of ${operations} operations are there.`);
};

/**
 * `openapi-python-client`: nothing is warned of, nothing lost, and an order goes there and back.
 */
export const checkPythonGenerator = async (
  check: Check,
  tool: (name: string) => string,
  folder: string,
  service: Service,
): Promise<void> => {
  const into = join(folder, 'openapi-python-client');
  const made = await check('makes a client of the document without options and without a warning, with every operation', async () => {
    // It formats with `ruff`, which it looks for on the PATH.
    const env = { ...process.env, PATH: `${dirname(tool('ruff'))}:${process.env['PATH']}` };
    const { output } = await mustRun(
      tool('openapi-python-client'),
      ['generate', '--path', document, '--output-path', into, '--fail-on-warning'],
      {
        env,
      },
    );
    if (/warning/i.test(output)) throw new Error(output);
    const modules = await readdir(join(into, 'bakery_commerce_api_client/api'), { recursive: true });
    count(modules.filter((path) => /\/(?!__)\w+\.py$/.test(path)).length);
  });
  if (!made) return;
  await check('its client creates an order and finds it in the list', async () => {
    const env = { ...process.env, ...(await service.newAccount()), PYTHONPATH: into };
    const { stdout } = await mustRun(tool('python'), ['test/python/create_order.py'], { env });
    if (stdout.trim() !== "13 {'table': '7'} True") throw new Error(stdout);
  });
};

/** The version that is tried. */
const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

/** The imports of its output: without options, it also has a server and the document. */
const imported = ['getkin/kin-openapi v0.153.0', 'labstack/echo/v4 v4.16.0', 'oapi-codegen/runtime v1.8.0'].map(
  (one) => `github.com/${one}`,
);

const linter = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

/** `actionlint`, as there is a Go. */
export const lintWorkflows = async (check: Check, go: string): Promise<void> => {
  await check('finds nothing in .github/workflows', async () => {
    await mustRun(go, ['run', linter], { env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local' } });
  });
};

/**
 * `oapi-codegen`: its client in Go compiles with all operations, and creates, lists and reads an
 * expense.
 */
export const checkGoGenerator = async (check: Check, go: string, folder: string, service: Service): Promise<void> => {
  const into = join(folder, 'go');
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };
  const made = await check('makes a client of the document that compiles, without options, with every operation', async () => {
    await mkdir(join(into, 'client'), { recursive: true });
    await writeFile(join(into, 'go.mod'), `module bakery\n\ngo 1.25\n\nrequire (\n${imported.join('\n')}\n)\n`);
    await mustRun(go, ['run', generator, '-o', 'client.go', document], { cwd: join(into, 'client'), env });
    await mustRun(go, ['build', './...'], { cwd: into, env });
    const source = await readFile(join(into, 'client/client.go'), 'utf8');
    const [, methods = ''] = /^type ClientInterface interface \{(.*?)^\}/ms.exec(source) ?? [];
    count((methods.match(/^\t\w+\(/gm) ?? []).filter((name) => !name.includes('WithBody')).length + onlyBodies(methods));
  });
  if (!made) return;
  await check('its client creates, lists and reads an expense, to the cent', async () => {
    await copyFile('test/python/generated/main.go', join(into, 'main.go'));
    const { stdout } = await mustRun(go, ['run', '.'], { cwd: into, env: { ...env, ...(await service.newAccount()) } });
    if (stdout !== '1234567.89 1234567.89 true\n404 not_found\n') throw new Error(`It printed ${stdout}`);
  });
};

/** Operations that can only be called with a given body. */
const onlyBodies = (methods: string): number => {
  const names = [...methods.matchAll(/^\t(\w+)\(/gm)].map(([, name = '']) => name);
  return names.filter((name) => name.endsWith('WithBody') && !names.includes(name.replace(/WithBody$/, ''))).length;
};
