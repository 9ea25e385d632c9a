import dns from 'node:dns/promises';
import { mkdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { startRuntime } from '../../local/runtime.ts';
import { documentPath } from '../../openapi/document.ts';
import { systemClock } from '../../shared/core/clock.ts';
import { apiPrefix } from '../../shared/core/routes.ts';
import { endAll, onStop, start } from '../deploy/children.ts';
import { pythonTool } from '../deploy/python.ts';

/**
 * `npm run fuzz`: Schemathesis generates valid requests, invalid ones and chains of them from
 * docs/openapi.json, and sends them to the whole service. Fails on a 5xx, on an undocumented
 * status, body or header, on an operation that works without a key, and on a record that is found
 * after its deletion. Does not check that a created record exists: a replayed response may name a
 * record that was deleted since (§ Limits, Idempotency rules 2). Options after `--` go to
 * Schemathesis: `-- --seed N`.
 */
const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'ignored_auth',
  'use_after_free',
];
const seconds = 60;
/** A rate limit's minute passes in half a second, so that few requests are limited. */
const speed = 120;
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}.local/fuzz`;

// Generated URLs are registered for events; the test calls none of them.
dns.lookup = (async (name: string) => {
  throw new Error(`${name} is not looked up.`);
}) as unknown as typeof dns.lookup;
syncBuiltinESMExports();

const search = { provider: 'typesense', host: 'search.example.com', collection: 'products', search_key: 'search-only-key' };

const main = async (): Promise<number | null> => {
  const schemathesis = await pythonTool('schemathesis');
  await mkdir(folder, { recursive: true });
  const startMs = Date.now();
  const now = () => startMs + (Date.now() - startMs) * speed;
  const runtime = await startRuntime({ regions: ['us'], seed: true, clock: { ...systemClock, now } });
  try {
    const demo = runtime.demo.us;
    if (!demo) throw new Error('There is no demo account.');
    // Without a search the response to every token would be 503.
    const { result } = (await runtime.invokeAction('us', { action: 'settings.get', input: {}, account: demo.account })) as {
      result: object;
    };
    await runtime.invokeAction('us', { action: 'settings.put', input: { ...result, search }, account: demo.account });
    const args = [
      'run',
      `${root}${documentPath}`,
      '--url',
      `${runtime.urls.us}${apiPrefix}`,
      '--header',
      `Authorization: Bearer ${demo.secretKey}`,
    ];
    const options = ['--checks', checks.join(), '--max-time', String(seconds), '--max-examples', '30', '--no-color', '--warnings', 'off'];
    const child = start(schemathesis, [...args, ...options, '--continue-on-failure', ...process.argv.slice(2)], { cwd: folder, output: 1 });
    return await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  } finally {
    await endAll();
    await runtime.stop();
  }
};

onStop(() => void endAll().then(() => process.exit(1)));
process.exit((await main()) ?? 1);
