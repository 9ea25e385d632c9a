import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from '../deploy/check.ts';
import { mustRun } from '../deploy/children.ts';
import { printedDifferences, type Sample, samplesOf } from '../examples/samples.ts';
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
    if (sample.language !== 'python' || sample.marks.includes('framework')) return [];
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
