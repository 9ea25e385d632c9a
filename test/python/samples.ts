import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signatureHeader } from '../../shared/webhooks/signing.ts';
import type { Check } from '../deploy/check.ts';
import { mustRun, start } from '../deploy/children.ts';
import { printedDifferences, type Sample, samplesOf } from '../examples/samples.ts';
import { hangUp, statusOfEndlessBody } from '../support/hang-up.ts';
import { actIn, eventually } from '../support/journey.ts';
import { freePorts } from '../support/service.ts';
import type { Service } from './service.ts';

/**
 * A program in Python as a page prints it. It finds the service at an address that `npm start`
 * prints for the region us, or in BAKERY_URL. Its keys are in BAKERY_API_KEY and
 * BAKERY_PUBLISHABLE_KEY, or replace `svc_sk_live_us_…` and `svc_pk_live_us_…`.
 */
export interface PythonSample {
  /** Told when it fails. */
  readonly name: string;
  readonly code: string;
  /** Output that the page prints. A program without it only has to succeed. */
  readonly printed?: Sample | undefined;
  /**
   * The demo account with its records (default), or a new one without orders, so that the response
   * is known.
   */
  readonly account?: 'demo' | 'new';
}

const pages = ['clients/python/README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)];

const samplesIn = (page: string): readonly PythonSample[] => {
  const all = samplesOf(page);
  return all.flatMap((sample, at) => {
    if (sample.language !== 'python' || sample.marks.includes('server')) return [];
    const next = all[at + 1];
    const printed = next?.language === 'text' ? next : undefined;
    const account = page.startsWith('docs/') ? 'demo' : 'new';
    return [{ name: `${page}: ${sample.file}`, code: sample.text, printed, account } as const];
  });
};

/**
 * Every sample that is run: those of the pages; what else prints samples in Python adds them here.
 */
export const samples: readonly PythonSample[] = pages.flatMap(samplesIn);

/** Programs that wait for deliveries, on the port that PORT says. */
export const receivers: readonly PythonSample[] = pages.flatMap((page) =>
  samplesOf(page)
    .filter(({ language, marks }) => language === 'python' && marks.includes('server'))
    .map(({ file, text }) => ({ name: `${page}: ${file}`, code: text })),
);

/** As printed, but for the ports of this run and the keys that a page cannot know. */
const here = (code: string, url: string, keys: Readonly<Record<string, string>>): string =>
  code
    .replaceAll(/http:\/\/(127\.0\.0\.1:4001|us\.localhost:4000)\/api\/v2/g, url)
    .replaceAll('svc_sk_live_us_…', keys['BAKERY_API_KEY'] ?? '')
    .replaceAll('svc_pk_live_us_…', keys['BAKERY_PUBLISHABLE_KEY'] ?? '');

/**
 * Runs each in an environment that holds the installed client and nothing else, two at a time, and
 * compares what it prints.
 */
export const checkSamples = async (check: Check, python: string, folder: string, service: Service): Promise<void> => {
  const waiting = [...samples.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, { name, code, printed, account }] = next;
      await check(name, async () => {
        const cwd = join(folder, `sample-${at}`);
        await mkdir(cwd);
        const keys = account === 'new' ? await service.newAccount() : service.demoAccount;
        await writeFile(join(cwd, 'sample.py'), here(code, service.url, keys));
        const { stdout } = await mustRun(python, ['sample.py'], { cwd, env: { ...process.env, ...keys } });
        const wrong = printed ? printedDifferences(printed, stdout) : [];
        if (wrong.length > 0) throw new Error(wrong.join('\n'));
      });
    }
  };
  await Promise.all([work(), work()]);
};

const outputOf = (child: ChildProcess): (() => string) => {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
  return () => text;
};

/**
 * Each takes a real delivery, also during a rotation, turns away what is forged or stale, and
 * outlives senders that hang up or never end.
 */
export const checkReceivers = async (check: Check, python: string, folder: string, service: Service): Promise<void> => {
  for (const [at, { name, code }] of receivers.entries())
    await check(`${name} takes a real delivery, turns away what is forged or stale, and outlives its senders`, async () => {
      const file = join(folder, `receiver-${at}.py`);
      await writeFile(file, code);
      const port = await freePorts();
      const url = `http://127.0.0.1:${port}/`;
      const { id: account } = await actIn(service.runtime, 'us', 'account.create', { name: 'Receiver', plan: 'business' });
      const { id, secret } = await actIn(service.runtime, 'us', 'webhook.create', { url, events: ['expense.created'] }, account);
      const env = { ...process.env, PORT: String(port), BAKERY_WEBHOOK_SECRET: secret };
      const child = start(python, [file], { env });
      const printed = outputOf(child);
      const post = async (body: string, signature = 'nonsense'): Promise<number> =>
        (await fetch(url, { method: 'POST', body, headers: { 'x-webhook-signature': signature } })).status;
      try {
        await eventually(
          () => post('{}').catch(() => 0),
          (status) => status === 400 || child.exitCode !== null,
        );
        await actIn(service.runtime, 'us', 'expense.create', { amount: 12.5, date: '2026-03-01', category: 'ingredients' }, account);
        await eventually(printed, (text) => text.includes('expense.created'));
        const now = Math.floor(Date.now() / 1000);
        const statuses = [
          await post('{"type":"x","data":{"object":{}}}', signatureHeader(secret, now, '{"type":"x","data":{"object":{}}}')),
          await post('{"type":"x"}', signatureHeader('whsec_other', now, '{"type":"x"}')),
          await post('{"type":"x"}', signatureHeader(secret, now - 600, '{"type":"x"}')),
        ];
        if (statuses.join() !== '204,400,400') throw new Error(`It answered ${statuses.join()}:\n${printed()}`);
        await actIn(service.runtime, 'us', 'webhook.rotate_secret', { id }, account);
        const { success } = await actIn(service.runtime, 'us', 'webhook.test', { id }, account);
        if (!success) throw new Error(`It took no previous signature during a rotation:\n${printed()}`);
        await hangUp(url);
        const endless = await statusOfEndlessBody(url, 'Content-Length: 10000000000');
        if (endless !== 413 || (await post('{}')) !== 400)
          throw new Error(`It read a body without end, or was ended by a sender that hung up.`);
      } finally {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    });
};
