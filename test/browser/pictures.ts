import { readFile, writeFile } from 'node:fs/promises';
import { startRuntime } from '../../local/runtime.ts';
import { mustRun } from '../deploy/children.ts';
import { until } from '../deploy/until.ts';
import { startReceiver } from '../support/receiver.ts';
import { launch, visitAs } from './browser.ts';
import { takeOverview } from './overview.ts';
import { columns, htmlOf } from './pseudo-terminal.ts';
import { recordingFile } from './screens.ts';

/**
 * `npm run pictures`: takes the pictures of the README and the docs from the running service. The
 * terminal's picture is what the browser tests recorded.
 */

/** In pixels. */
const widths = { line: 20, character: 8.43, margin: 20 } as const;
/** Draws what a terminal showed. Its colors follow the reader's scheme if the page allows styles. */
const terminalSvg = (title: string, command: string, ansi: string): string => {
  const lines = ansi
    .replace(/\^C\s*$/, '')
    .replace(/whsec_[\w-]+/, 'whsec_…')
    .trimEnd()
    .split('\n');
  const text = [`<span class="prompt">$ ${command}</span>`, ...lines.map(htmlOf)].map((line) => line.replaceAll('span', 'tspan'));
  const width = Math.ceil(columns * widths.character + 2 * widths.margin);
  const height = text.length * widths.line + 2 * widths.margin;
  const rows = text.map(
    (line, at) => `<text x="${widths.margin}" y="${widths.margin + at * widths.line + 14}" xml:space="preserve">${line}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>${title}</title>
<style>.ground { fill: #ffffff; stroke: #d8dee4 } text { fill: #1f2328 } .prompt { font-weight: 700 } .s32 { fill: #116329 } @media (prefers-color-scheme: dark) { .ground { fill: #16181d; stroke: #343942 } text { fill: #e6e9ef } .s32 { fill: #6fd08c } }</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8" fill="#ffffff" stroke="#d8dee4"/>
${rows.join('\n')}
</svg>
`;
};

await mustRun('npm', ['run', 'test:browser', '--', 'browser/terminal']);
const [, ...output] = (await readFile(await recordingFile('listen', 'ans'), 'utf8')).split('\n');
const title = 'A terminal: ops listen prints each event with a verified signature while ops trigger writes records';
await writeFile('docs/pictures/listen.svg', terminalSvg(title, 'npm run --silent ops -- listen', output.join('\n')));

const types = ['expense.created', 'order.status_changed', 'payment.completed', 'inventory.low'];
const [browser, runtime, receiver] = await Promise.all([
  launch(),
  startRuntime({ regions: ['us'], seed: true, allowLoopbackWebhooks: true }),
  startReceiver(),
]);
try {
  const { account, secretKey } = runtime.demo.us ?? { account: '', secretKey: '' };
  const [good, bad] = [receiver.hook(200), receiver.hook(503)];
  for (const { url } of [good, bad])
    await fetch(`${runtime.urls.us}/api/v2/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: url === good.url ? [...types, 'order.created', 'customer.created'] : types.slice(-1) }),
    });
  for (const type of types) await mustRun('npm', ['run', '--silent', 'ops', '--', 'trigger', type, '--port', String(runtime.port)]);
  await until('every event is delivered', 20_000, () => good.requests.length >= types.length && bad.requests.length > 0);
  const { page } = await visitAs(browser, 'desktop');
  await page.setViewportSize({ width: 1100, height: 600 });
  await page.goto(`http://127.0.0.1:${runtime.port}/developers/?region=us&account=${account}#deliveries`);
  await page.getByRole('row').nth(types.length).waitFor();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.screenshot({ path: 'docs/pictures/deliveries-light.png' });
  await takeOverview(browser, runtime.port, async () => {
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'order.created' }).first().waitFor();
    return page;
  });
} finally {
  await Promise.all([browser.close(), runtime.stop(), receiver.stop()]);
}
