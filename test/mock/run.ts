import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentPath } from '../../openapi/document.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { endAll, mustRun, onStop } from '../deploy/children.ts';
import { installNpmTools } from '../support/npm-tools.ts';
import { type Exchange, reasonOf } from './reasons.ts';

/**
 * `npm run test:mock`: records every request of the suites below, sends each to the mock that Prism makes of
 * docs/openapi.json, and compares the class of its response with the service's. A request that the service
 * serves and the mock rejects is a fault of the document, and so is one that the service rejects for no reason of
 * `reasons.ts`.
 */
const suites = 'test/(http|auth|orders|customers|products|expenses|reference|webhook-endpoints|checkout|journeys)/';
const prism = '@stoplight/prism-cli@5.16.0';

interface Mock {
  request(path: string, input: object): Promise<{ status: number; violations: { input: readonly { message: string }[] } }>;
}

const startMock = async (): Promise<Mock> => {
  const load = createRequire(join(await installNpmTools('mock', [prism]), 'package.json'));
  const operations = await load('@stoplight/prism-cli/dist/operations').getHttpOperationsFromSpec(documentPath);
  const silent = load('pino')({ enabled: false });
  silent.success = () => undefined;
  const config = { mock: { dynamic: false }, checkSecurity: true, validateRequest: true, validateResponse: false, logger: silent };
  return load('@stoplight/prism-http/dist/client').createClientFromOperations(operations, { ...config, errors: false, isProxy: false });
};

const bodyOf = (text: string | undefined): unknown => {
  try {
    return text === undefined || text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
};

/** Prism's process ends at a path that does not decode. */
const isDecodable = (path: string): boolean => {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
};

/** Returns the mock's status, and what it found wrong. */
const mocked = async (mock: Mock, { method, path, sent }: Exchange): Promise<{ readonly status: number; readonly message: string }> => {
  const fields = Object.entries(sent.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value]]));
  const body = bodyOf(sent.body);
  const headers = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...Object.fromEntries(fields),
  };
  try {
    const { status, violations } = await mock.request(`${path.slice(apiPrefix.length)}${sent.search}`, {
      method: method.toLowerCase(),
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status, message: violations.input.map(({ message }) => message).join('; ') };
  } catch (error) {
    const { status, message } = error as { status?: number; message: string };
    if (status === undefined) throw error;
    return { status, message };
  }
};

const record = async (folder: string): Promise<readonly Exchange[]> => {
  const file = join(folder, 'exchanges.jsonl');
  await mustRun('npm', ['test', '--', suites, '--silent'], { env: { ...process.env, TEST_RECORDING: file } });
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Exchange).filter(({ path }) => path.startsWith(`${apiPrefix}/`));
};

const main = async (folder: string): Promise<boolean> => {
  const [exchanges, mock] = await Promise.all([record(folder), startMock()]);
  const reasons = new Map<string, number>();
  const faults: string[] = [];
  let passed = 0;
  for (const exchange of exchanges) {
    const { method, path, sent, status, text } = exchange;
    if (!isDecodable(path)) continue;
    const response = await mocked(mock, exchange);
    const reason = Math.trunc(status / 100) === Math.trunc(response.status / 100) ? 'same class of status' : reasonOf(exchange, response);
    if (reason === undefined)
      faults.push(
        `${method} ${path}${sent.search} ${sent.body?.slice(0, 200) ?? ''}\n  ${status}, mock ${response.status}: ${response.message || text.slice(0, 200)}`,
      );
    else {
      passed += 1;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a)) process.stdout.write(`${count} ${reason}\n`);
  process.stdout.write(`${faults.slice(0, 100).join('\n')}\n${passed} passed, ${faults.length} failed\n`);
  return faults.length === 0 && passed > 5000;
};

onStop(() => void endAll().then(() => process.exit(1)));
const folder = await mkdtemp(join(tmpdir(), 'mock-'));
try {
  process.exitCode = (await main(folder)) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
