import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../test/support/journey.ts';
import { freePorts, root } from '../test/support/service.ts';

/**
 * Times a new user's commands, from a clone of the last commit to the first API response, a
 * verified webhook, a paid checkout, an order from Python and the static docs: node
 * bench/first-minutes.ts
 */
const folder = mkdtempSync(join(tmpdir(), 'first-minutes-'));
const clone = join(folder, 'bakery');
const port = await freePorts();
const startedMs = performance.now();
let commands = 0;
const rows: [string, number, string][] = [];
const reached = (what: string): void => void rows.push([what, commands, ((performance.now() - startedMs) / 1000).toFixed(1)]);

const running: ChildProcess[] = [];
/** Runs one command and collects its output. */
const type = (command: string, args: readonly string[], cwd = clone) => {
  commands += 1;
  // Exclude this bench's npm, and the Node that it put first in the path.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const PATH = (env['PATH'] ?? '')
    .split(':')
    .filter((one) => !one.includes('node_modules'))
    .join(':');
  const child = spawn(command, args, { cwd, env: { ...env, PATH }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  return { child, output: () => output };
};

const toTheEnd = async (command: string, args: readonly string[], cwd = clone): Promise<string> => {
  const { child, output } = type(command, args, cwd);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output()}`);
  return output();
};

const until = (output: () => string, sign: string) => eventually(output, (text) => text.includes(sign));
const ops = (...args: readonly string[]): readonly string[] => ['run', '--silent', 'ops', '--', ...args, '--port', String(port)];
const origin = `http://127.0.0.1:${port + 1}`;

const payCheckout = async (banner: string): Promise<void> => {
  // The third command of the banner, and the page in a browser.
  const [, key = '', cart = '{}'] = /\/checkout -H 'Authorization: Bearer (\S+)' .* -d '(.*)'/.exec(banner) ?? [];
  const output = await toTheEnd('curl', [
    ...['-s', `${origin}/api/v2/checkout`, '-H', `Authorization: Bearer ${key}`],
    ...['-H', 'Content-Type: application/json', '-d', cart],
  ]);
  const { url } = JSON.parse(output.slice(output.indexOf('{'))) as { url: string };
  commands += 1;
  const { pathname } = new URL(url);
  const page = await (await fetch(`${origin}${pathname}`)).text();
  const fields = {
    token: /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '',
    card_number: '4242424242424242',
    email: 'ada@example.com',
    last_name: 'Okafor',
  };
  const paid = await fetch(`${origin}${pathname}/pay`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  if (paid.status !== 303) throw new Error(`The page answered the payment with ${paid.status}.`);
};

const orderFromPython = async (key: string): Promise<void> => {
  const python = join(folder, 'venv', 'bin', 'python');
  await toTheEnd('python3', ['-m', 'venv', join(folder, 'venv')]);
  await toTheEnd(python, ['-m', 'pip', 'install', '--quiet', './clients/python']);
  const program = `from bakery_commerce import BakeryCommerce
client = BakeryCommerce("${key}", base_url="${origin}/api/v2")
print(client.orders.create({"customer": {"last_name": "Okafor"}, "items": [{"name": "Rye", "quantity": 1, "unit_price": 7.5}]})["id"])`;
  if (!/ord_/.test(await toTheEnd(python, ['-c', program]))) throw new Error('No order came from Python.');
};

try {
  await toTheEnd('git', ['clone', '--quiet', root, clone], folder);
  await toTheEnd('npm', ['ci']);
  reached('cloned and installed');
  const start = ['start', '--', '--port', String(port), '--allow-loopback-webhooks'];
  const service = type('npm', start);
  const banner = await until(service.output, 'checkout page');
  const key = /secret key +(\S+)/.exec(banner)?.[1] ?? '';
  await toTheEnd('curl', ['-sf', `${origin}/api/v2/orders`, '-H', `Authorization: Bearer ${key}`]);
  reached('first answer of the API');
  const listener = type('npm', ops('listen'));
  await until(listener.output, 'Ready!');
  await toTheEnd('npm', ops('trigger', 'expense.created'));
  await until(listener.output, 'signature verified ✓');
  reached('verified webhook');
  await payCheckout(banner);
  reached('paid checkout');
  await orderFromPython(key);
  reached('order from Python');
  await toTheEnd('npm', ['run', 'build:docs', '--', join(folder, 'site')]);
  reached('static docs site');
} finally {
  for (const { pid, exitCode } of running)
    if (pid !== undefined && exitCode === null)
      try {
        process.kill(-pid, 'SIGTERM');
      } catch {
        // the process has ended
      }
  await Promise.all(running.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${'from nothing to'.padEnd(26)} commands  seconds`);
for (const [what, count, seconds] of rows) console.log(`${what.padEnd(26)} ${String(count).padStart(8)} ${seconds.padStart(8)}`);
