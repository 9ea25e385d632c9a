import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { pagePackages } from '../../local/pages/packages.ts';
import { until } from '../support/eventually.ts';
import { copyForProduction, type ProductionCopy } from '../support/production-copy.ts';
import { freePorts, pretendNode, type ServiceProcess, startService } from '../support/service.ts';

let copy: ProductionCopy;
let service: ServiceProcess | undefined;

const start = async (folder: string): Promise<ServiceProcess> => {
  const running = await startService({ port: await freePorts(), args: ['--ephemeral'], folder });
  service = running;
  await until(() => running.stdout().includes('Try:'));
  return running;
};

const visit = async ({ port }: ServiceProcess, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, text: await response.text() };
};

afterEach(async () => {
  await service?.kill();
  service = undefined;
});

describe('after npm ci --omit=dev', () => {
  beforeAll(() => {
    copy = copyForProduction();
  });
  afterAll(() => copy.remove());

  const run = (program: string, args: readonly string[], version = process.versions.node) =>
    spawnSync(process.execPath, [...pretendNode(version), `bin/${program}.mjs`, ...args], { cwd: copy.folder, encoding: 'utf8' });

  test('after npm ci --omit=dev, the service is healthy and serves requests in every region', async () => {
    const running = await start(copy.folder);
    expect(await visit(running, '/_local/health')).toMatchObject({ status: 200 });
    const order = { customer: { email: 'ada@example.com' }, items: [{ name: 'Cake', quantity: 1, unit_price: 40 }] };
    for (const region of ['us', 'au', 'eu'] as const) {
      const { id } = await running.action(region, 'account.create', { name: 'Bakery', plan: 'business' });
      const { key } = await running.action(region, 'key.create', { type: 'secret', group: 'fullAccess', name: 'Till' }, String(id));
      const send = async (path: string, body?: object): Promise<number> => {
        const response = await fetch(`${running.origin(region)}/api/v2${path}`, {
          method: body ? 'POST' : 'GET',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        await response.arrayBuffer();
        return response.status;
      };
      const statuses = [await send('/orders', order), await send('/orders'), await send('/customers'), await send('/orders/ord_none')];
      expect(statuses).toEqual([201, 200, 200, 404]);
    }
    expect(running.stderr()).toBe('');
  });

  test('after npm ci --omit=dev, the pages are not announced, and their addresses say what to run', async () => {
    const running = await start(copy.folder);
    expect(running.stdout()).toContain(`http://127.0.0.1:${running.port + 1}/api/v2`);
    expect(running.stdout()).not.toMatch(/Docs|Developers|\/docs|\/developers/);
    for (const path of ['/docs/', '/docs/search.js', '/developers/', '/developers/accounts']) {
      const { status, text } = await visit(running, path);
      expect([path, status, JSON.parse(text).error.code]).toEqual([path, 404, 'not_found']);
      expect(JSON.parse(text).error.message).toMatch(/not installed: .*esbuild.*run: npm ci --include=dev/);
    }
  });

  test.each(['ops', 'start'])('after npm ci --omit=dev, bin/%s.mjs says under Node 18 to 23 that Node 24 is missing', (program) => {
    for (const version of ['18.20.0', '20.20.2', '23.11.1']) {
      const { status, stdout, stderr } = run(program, ['--help'], version);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toBe(
        `Bakery Commerce needs Node 24, and this is Node ${version}. Install Node 24, or run npm ci --include=dev, which brings it.\n`,
      );
    }
  });

  test('after npm ci --omit=dev, ops rejects an unknown action without a suggestion', () => {
    const { status, stderr } = run('ops', ['account.creat', '--region', 'us']);
    expect(status).toBe(1);
    expect(JSON.parse(stderr).error.message).toBe('"account.creat" is not an action. node bin/ops.mjs --help lists the actions.');
  });

  test('after npm ci --omit=dev, ops says what to run if it cannot read a stack', () => {
    const { status, stderr } = run('ops', ['check', '--stack', 'Shop', '--region', 'us']);
    expect(status).toBe(1);
    expect(JSON.parse(stderr.slice(stderr.indexOf('{'))).error.message).toContain(
      'Reading a stack needs @aws-sdk/client-cloudformation, which is not installed. Run: npm ci --include=dev',
    );
  });
});

describe.each([
  ['/docs', ['/docs/', '/docs/errors/', '/docs/search.js', '/docs/search.json'], '/developers'],
  ['/developers', ['/developers/', '/developers/developers-page.js', '/developers/host.js'], '/docs'],
] as const)('the packages of %s', (page, paths, other) => {
  beforeAll(() => {
    copy = copyForProduction(pagePackages[page]);
  });
  afterAll(() => copy.remove());

  test(`${page} is announced and served if its packages are installed, and ${other} is not announced`, async () => {
    const running = await start(copy.folder);
    expect(running.stdout()).toContain(`http://127.0.0.1:${running.port}${page}\n`);
    expect(running.stdout()).not.toContain(`http://127.0.0.1:${running.port}${other}\n`);
    for (const path of paths) expect([path, (await visit(running, path)).status]).toEqual([path, 200]);
  });
});
