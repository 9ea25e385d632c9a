import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const names = [
  'BAKERY_ADDRESS',
  'BAKERY_API_KEY',
  'BAKERY_NAME',
  'BAKERY_PUBLISHABLE_KEY',
  'BAKERY_URL',
  'BAKERY_WEBHOOK_SECRET',
  'BAKERY_PORT',
];

const files = execFileSync('git', ['ls-files', 'README.md', 'docs/SKILL.md', 'docs/guides', 'examples', 'clients', 'pages/docs'], {
  encoding: 'utf8',
}).split('\n');

/** Variables that a shell sets or uses, or that a program reads from its environment, in any language of the samples. */
const use =
  /(?:\bprocess\.env\.|\b(?:env|environ|ENV)\[['"]|\b(?:environ\.get|getenv|Getenv|GetEnvironmentVariable|fetch|env)\(['"])([A-Z][A-Z_]+)|\$\{?([A-Z][A-Z_]+)\b|^(?:export )?([A-Z][A-Z_]+)=|\b(BAKERY_[A-Z_]+)/gm;

test('samples, examples and clients name the API, its keys and secrets by one set of variables', () => {
  const used = files
    .filter((file) => /\.(md|[cm]?[jt]sx?|py|go|java|cs|php|rb)$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(use)].map(([, ...groups]) => groups.find(Boolean) ?? ''));
  const ours = [...new Set(used)].filter((name) => /BAKERY|KEY|SECRET|TOKEN|URL|API/.test(name));
  expect(ours.sort()).toEqual([...names].sort());
});
