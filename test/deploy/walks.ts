import assert from 'node:assert/strict';
import { linkNames } from '../../ops/check-links.ts';
import type { Region } from '../../shared/core/config.ts';
import { allSamplesOf, type Sample, samplesOf, stepsOfEu } from '../lib/walk-page.ts';
import type { Check } from './check.ts';
import { notConfigured, notRun, type Reader } from './reader.ts';

const deployPage = 'docs/deploy.md';
const firstDay = 'docs/first-day.md';
const stage = samplesOf('docs/configuration.md', '### A stage before production');
const beginsWith = (start: string) => (samples: readonly Sample[]) => samples.findIndex(({ text }) => text.startsWith(start));

/** What a command of the pages prints if it works. */
const printed: readonly (readonly [command: string, output: RegExp])[] = [
  ['aws lambda get-account-settings', /^\d+$/m],
  ['npx cdk bootstrap', /bootstrapped/],
  ['npx cdk deploy', /✅/],
  ['npx cdk destroy', /destroyed/],
  ['ops -- account.create', /"id": "acct_/],
  ['ops -- key.create', /"key": "svc_sk_live_/],
  ['ops -- queue.status', /"delivery-dead-letters"/],
  ['ops -- check --stack', new RegExp(linkNames.map((name) => `^${name} +ok `).join('[^]*'), 'm')],
  ['curl ', /"expense_categories"/],
  ['ask sweep', /^Complete$/m],
  ['aws cloudwatch describe-alarms', /^\[/m],
];

/** Follows samples in their order, each a check of its own. Resolves with whether all of them work. */
const follow = async (check: Check, reader: Reader, samples: readonly Sample[], spell?: (text: string) => string): Promise<boolean> => {
  for (const sample of samples) {
    const { language, text } = sample;
    const lines = text.split('\n');
    const first = lines.find((line) => !Object.keys(notRun).some((command) => line.startsWith(command))) ?? `${lines[0]} (not run)`;
    const works = await check(language === 'json' ? `cdk.json has ${first}` : first, async () => {
      const output = await reader.follow(sample, spell);
      for (const [command, pattern] of printed) if (text.includes(command)) assert.match(output, pattern);
    });
    if (!works) return false;
  }
  return true;
};

/** The steps of docs/deploy.md for eu alone, in the parts between which its API is tested. */
export const walkEu = (check: Check, reader: Reader) => {
  const steps = stepsOfEu();
  const checks = beginsWith('npm run --silent ops -- check')(steps);
  const firstSteps = allSamplesOf(firstDay);
  const functions = samplesOf('docs/runbook.md', '## Before you start');
  const spell = (text: string) =>
    text.replace('REGION=us', 'REGION=eu').replace('BakeryCommerce-us', 'BakeryCommerce-eu').replaceAll('us-east-1', 'eu-west-1');
  return {
    /** Up to the first request with a key. */
    deploy: () => follow(check, reader, steps.slice(0, checks)),
    operate: async () => {
      await follow(check, reader, steps.slice(checks));
      await follow(check, reader, samplesOf(deployPage, '## Upgrade'));
      await follow(check, reader, [...firstSteps.slice(0, -1), ...functions.slice(0, 1), ...firstSteps.slice(-1)], spell);
    },
    remove: () => follow(check, reader, samplesOf(deployPage, '## Remove')),
  };
};

const variablesOf = {
  us: (text: string) => text,
  au: (text: string) => text.replace('us', 'au').replaceAll('us-east-1', 'ap-southeast-2'),
};

/** The steps of docs/deploy.md for us and au up to their configuration, then those of a stage for us, and the docs. */
export const walkStage = async (checkOf: (region: Region) => Check, reader: Reader): Promise<boolean> => {
  const steps = samplesOf(deployPage, '# Deploy');
  const until = beginsWith('npx cdk deploy')(steps);
  for (const region of ['au', 'us'] as const) {
    const [variables, ...others] = steps.slice(0, until);
    if (!variables || !(await follow(checkOf(region), reader, [variables], variablesOf[region]))) return false;
    if (
      !(await follow(
        checkOf(region),
        reader,
        others.filter(({ language }) => language === 'sh' || region === 'us'),
      ))
    )
      return false;
  }
  return (await follow(checkOf('us'), reader, stage)) && follow(checkOf('us'), reader, samplesOf(deployPage, '## Publish the docs'));
};

/** Each sample of the pages was followed, and each reason is about a command or a key that they have. */
export const assertFollowed = (followed: ReadonlySet<string>): void => {
  const samples = [...allSamplesOf(deployPage), ...allSamplesOf(firstDay), ...stage];
  assert.deepEqual(
    samples.filter(
      ({ text }) => !followed.has(text) && !Object.keys(notConfigured).some((key) => text.startsWith(`"${key}"`) && !text.includes(',')),
    ),
    [],
  );
  const all = samples.map(({ text }) => text).join('\n');
  assert.deepEqual(
    [...Object.keys(notRun), ...Object.keys(notConfigured)].filter((one) => !all.includes(one)),
    [],
  );
};
