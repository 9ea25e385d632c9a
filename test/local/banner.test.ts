import { expect, test } from '@jest/globals';
import { banner, terminalPaint } from '../../local/banner.ts';

const runtime = {
  port: 4000,
  regions: ['au', 'us'] as const,
  pages: ['/docs', '/developers'] as const,
  urls: { au: 'http://127.0.0.1:4002', us: 'http://127.0.0.1:4001', eu: '' },
  demo: { us: { account: 'acct_1', name: 'Bakery', secretKey: 'svc_sk_1', publishableKey: 'svc_pk_1', product: 'prd_1' } },
};
const options = { dataDir: undefined, allowLoopbackWebhooks: false, timeScale: 1, today: '2026-11-21' };

test('the commands use the first region that has a demo account', () => {
  const commands = banner(runtime, options).match(/curl \S+/g);
  expect(commands).toEqual([
    'curl http://127.0.0.1:4001/api/v2/webhooks',
    'curl http://127.0.0.1:4001/api/v2/expenses',
    'curl http://127.0.0.1:4001/api/v2/checkout',
  ]);
});

test('the banner says how to allow loopback webhooks if they are off', () => {
  expect(banner(runtime, options)).toContain('add --allow-loopback-webhooks');
  expect(banner(runtime, { ...options, allowLoopbackWebhooks: true })).toContain('"url": "http://127.0.0.1:8080/hook"');
});

test('the banner prints the path of the state, or that no state is stored', () => {
  expect(banner(runtime, { ...options, dataDir: '.local' })).toContain('State and service.log are in .local.');
  expect(banner(runtime, options)).toContain('in memory only');
});

test('a time scale is mentioned if there is one', () => {
  expect(banner(runtime, options)).not.toContain('times shorter');
  expect(banner(runtime, { ...options, timeScale: 60 })).toContain('60 times shorter');
});

test('the banner says how to create an account if there is no demo account', () => {
  expect(banner({ ...runtime, demo: {} }, options)).toContain('npm run --silent ops -- account.create --help');
});

test.each([
  ['2026-11-20', '2026-11-21'],
  ['2026-11-21', '2026-11-23'],
  ['2026-12-31', '2027-01-02'],
])('the checkout printed on %s is for %s, the next day that is open', (today, day) => {
  expect(banner(runtime, { ...options, today })).toContain(`"delivery_date":"${day}"`);
});

test('the banner has addresses first, keys next and samples last', () => {
  const text = banner(runtime, options);
  const positions = ['ready', '/docs', 'Developers page', '127.0.0.1:4001/api/v2', 'svc_sk_1', 'Nothing is kept', 'Try:', 'curl'].map(
    (word) => text.indexOf(word),
  );
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

test('the banner has color on a terminal, and none in a pipe or with NO_COLOR', () => {
  const hasColor = (isTerminal: boolean, env: Record<string, string>) =>
    banner(runtime, options, terminalPaint(isTerminal, env)).includes('\x1b[');
  expect([hasColor(true, {}), hasColor(true, { NO_COLOR: '1' }), hasColor(false, {})]).toEqual([true, false, false]);
});
