import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkContract } from '../breaking/check.ts';
import { checksOf, runChecks, type Tally } from '../deploy/check.ts';
import { mustRun, run } from '../deploy/children.ts';
import { buildWheel, installBuilt, installPinned, pythonTool } from '../deploy/python.ts';
import { checkGoGenerator, checkPythonGenerator, lintWorkflows } from './generators.ts';
import { checkOpenApiGenerator } from './openapi-generator.ts';
import { checkReference } from './reference.ts';
import { checkSamples } from './samples.ts';
import { type Service, startService } from './service.ts';

/**
 * `npm run test:python`: what needs Python or Go, beside one service: the client for Python,
 * samples in Python, clients of other generators.
 */
const client = resolve('clients/python');
const tally: Tally = { passed: 0, failed: 0 };
const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const checks = (subject: string) => checksOf(subject, tally, print);

/** The tests of the client by pytest, each counted. */
const runPytest = async (tool: (name: string) => string, service: Service): Promise<void> => {
  const env = { ...process.env, ...service.demoAccount, PYTHONPATH: `${client}/src`, PYTHONDONTWRITEBYTECODE: '1' };
  const { code, output } = await run(tool('python'), ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test/python/client'], { env });
  const counted = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(output.trim().split('\n').at(-1) ?? '')?.[1] ?? 0);
  const failed = counted('failed') + counted('error');
  tally.passed += counted('passed');
  tally.failed += code === 0 ? 0 : Math.max(1, failed);
  print(code === 0 ? `ok    client: ${output.trim().split('\n').at(-1)}` : `FAIL  client:\n${output}`);
};

const judgeSource = async (tool: (name: string) => string, folder: string): Promise<void> => {
  const config = `${client}/pyproject.toml`;
  const env = { ...process.env, MYPYPATH: `${client}/src` };
  const check = checks('client');
  await check('its types hold under mypy --strict, and tell right from wrong', async () => {
    const options = ['--config-file', config, '--cache-dir', join(folder, 'mypy')];
    await mustRun(tool('mypy'), [...options, `${client}/src/bakery_commerce`, 'test/python/right_and_wrong.py'], { env });
  });

  await check('ruff finds nothing', async () => {
    await mustRun(tool('ruff'), ['check', '--no-cache', '--config', config, client, 'test/python']);
    await mustRun(tool('ruff'), ['format', '--check', '--no-cache', '--config', config, client, 'test/python']);
  });
};

/**
 * A Python that has the client's wheel, what that asks for, and nothing else; the same for every
 * sample.
 */
const installWheel = async (tool: (name: string) => string, folder: string): Promise<string | undefined> => {
  const check = checks('wheel');
  const empty = join(folder, 'empty');
  const python = tool('python');
  const installed = await check('is built, holds the package and its licence, and is installed in an empty environment', async () => {
    await buildWheel(python, client, folder);
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? '';
    const { stdout } = await mustRun(tool('python'), ['-m', 'zipfile', '--list', join(folder, wheel)]);
    const files = stdout.split('\n').map((line) => line.split(' ')[0] ?? '');
    const missing = ['bakery_commerce/py.typed', 'bakery_commerce/_generated/models.py'].filter((name) => !files.includes(name));
    if (missing.length > 0 || !stdout.includes('licenses/LICENSE')) throw new Error(`Not in the wheel: ${missing}\n${stdout}`);
    const strange = files.filter((name) => name.includes('/') && !/^bakery_commerce(-0\.\d+\.\d+\.dist-info)?\//.test(name));
    if (strange.length > 0) throw new Error(`In the wheel without need: ${strange}`);
    await mustRun(tool('python'), ['-m', 'venv', '--without-pip', empty]);
    await installPinned(python, 'test/python/client-requirements.txt', `${empty}/bin/python`);
    await installBuilt(python, join(folder, wheel), `${empty}/bin/python`);
  });
  return installed ? `${empty}/bin/python` : undefined;
};

const samples = async (tool: (name: string) => string, folder: string, service: Service): Promise<void> => {
  const python = await installWheel(tool, folder);
  if (!python) return;
  await checkSamples(checks('sample'), python, folder, service);
  await checkReference(checks('reference'), python, folder);
};

const main = async (folder: string): Promise<void> => {
  const bin = (await pythonTool('')).replace(/\/$/, '');
  const tool = (name: string) => `${bin}/${name}`;
  const service = await startService();
  try {
    await Promise.all([
      (async () => {
        let go = '';
        const isThere = await checks('Go')('is there, of its own environment', async () => {
          go = await pythonTool('go', 'go');
        });
        if (!isThere) return;
        await checkGoGenerator(checks('oapi-codegen'), go, folder, service);
        await checkOpenApiGenerator({ check: checks('openapi-generator'), print, folder, service, python: tool('python'), go });
        await lintWorkflows(checks('actionlint'), go);
        await checkContract(checks('docs/openapi.json'), go, folder);
      })(),
      (async () => {
        await samples(tool, folder, service);
        await runPytest(tool, service);
        await judgeSource(tool, folder);
        await checkPythonGenerator(checks('openapi-python-client'), tool, folder, service);
      })(),
    ]);
  } finally {
    await service.runtime.stop();
  }
};

await runChecks('python', tally, main);
