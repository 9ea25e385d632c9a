import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentPath } from '../../openapi/main.ts';
import { endpoints } from '../contract/specification.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun } from '../deploy/children.ts';
import type { Place } from './place.ts';

/** Everything that the document has and a client therefore needs. */
const operations = endpoints.length;
const count = (found: number): void => {
  if (found !== operations) throw new Error(`${found} of ${operations} operations are there.`);
};

/**
 * `openapi-python-client`: nothing is warned of, nothing lost, and an order goes there and back.
 */
export const checkPythonGenerator = async (check: Check, tool: (name: string) => string, folder: string, place: Place): Promise<void> => {
  const into = join(folder, 'openapi-python-client');
  const made = await check('makes a client of the document without a warning, with every operation', async () => {
    // The output is not formatted: that is not part of the test.
    const config = join(folder, 'generator.json');
    await writeFile(config, JSON.stringify({ post_hooks: [] }));
    const { output } = await mustRun(tool('openapi-python-client'), [
      ...['generate', '--path', documentPath, '--config', config],
      ...['--meta', 'none', '--output-path', join(into, 'bakery_commerce_api_client'), '--fail-on-warning'],
    ]);
    if (/warning/i.test(output)) throw new Error(output);
    const modules = await readdir(join(into, 'bakery_commerce_api_client/api'), { recursive: true });
    count(modules.filter((path) => /\/(?!__)\w+\.py$/.test(path)).length);
  });
  if (!made) return;
  await check('its client creates an order and finds it in the list', async () => {
    const env = { ...process.env, ...(await place.newAccount()), PYTHONPATH: into };
    const { stdout } = await mustRun(tool('python'), ['test/python/create_order.py'], { env });
    if (stdout.trim() !== "13 {'table': '7'} True") throw new Error(stdout);
  });
};

/** The version that is tried; it takes OpenAPI 3.1. */
const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

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
export const checkGoGenerator = async (check: Check, go: string, folder: string, place: Place): Promise<void> => {
  const into = join(folder, 'go');
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' };
  const made = await check('makes a client of the document that compiles, with every operation', async () => {
    await mkdir(join(into, 'client'), { recursive: true });
    // Without `skip-prune` it leaves out the headers of deliveries, which its own output then
    // names.
    const options = { package: 'client', generate: { models: true, client: true }, 'output-options': { 'skip-prune': true } };
    await writeFile(join(into, 'config.yaml'), JSON.stringify({ ...options, output: join(into, 'client/client.go') }));
    await mustRun(go, ['run', generator, '-config', join(into, 'config.yaml'), documentPath], { env });
    await writeFile(join(into, 'go.mod'), 'module bakery\n\ngo 1.25\n\nrequire github.com/oapi-codegen/runtime v1.8.0\n');
    await mustRun(go, ['build', './...'], { cwd: into, env });
    const source = await readFile(join(into, 'client/client.go'), 'utf8');
    const [, methods = ''] = /^type ClientInterface interface \{(.*?)^\}/ms.exec(source) ?? [];
    count((methods.match(/^\t\w+\(/gm) ?? []).filter((name) => !name.includes('WithBody')).length + onlyBodies(methods));
  });
  if (!made) return;
  await check('its client creates, lists and reads an expense, to the cent', async () => {
    await copyFile('test/python/generated/main.go', join(into, 'main.go'));
    const { stdout } = await mustRun(go, ['run', '.'], { cwd: into, env: { ...env, ...(await place.newAccount()) } });
    if (stdout !== '1234567.89 1234567.89 true\n404 not_found\n') throw new Error(`It printed ${stdout}`);
  });
};

/** Operations that can only be called with a given body. */
const onlyBodies = (methods: string): number => {
  const names = [...methods.matchAll(/^\t(\w+)\(/gm)].map(([, name = '']) => name);
  return names.filter((name) => name.endsWith('WithBody') && !names.includes(name.replace(/WithBody$/, ''))).length;
};
