import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { routes as pages } from '../../functions/checkout-page/routes.ts';
import { guides } from '../../pages/docs/guides.ts';
import { rateRules, webhookTestRule } from '../../shared/http/rate-limits.ts';
import { noticeTypes } from '../../shared/providers/payment-gateways/stripe.ts';
import { deliveryHeaders } from '../../shared/webhooks/signing.ts';
import { readPage, statedIn } from '../support/marked-tables.ts';
import { guideFiles, guideParts } from './guide-parts.ts';
import { readJson } from './manifest.ts';

const read = (name: string): string => readFileSync(`docs/guides/${name}.md`, 'utf8');
const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
/** Returns the cells of the rows of every table with a head that begins with that word. */
const rowsUnder = (page: string, head: string): string[][] => {
  const [, table = ''] = new RegExp(`^\\| ${head}[^\\n]*\\n\\|[-|]+\\n((?:\\|[^\\n]*\\n)+)`, 'm').exec(read(page)) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
};

test('the docs site has a page for every guide, with the title of its file', () => {
  const read = (file: string): string => readFileSync(`docs/${file}`, 'utf8');
  const files = guides.map(({ file }) => file);
  expect(files).toEqual(expect.arrayContaining(readdirSync('docs/guides').map((name) => `guides/${name}`)));
  expect(files.map((file) => /^# (.+)$/m.exec(read(file))?.[1])).toEqual(guides.map(({ title }) => title));
});

test('what-changed.md has every version of the changelog, newest first', () => {
  const versions = [...readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## \[(\d[^\]]*)\] - (\S+)$/gm)].map(
    ([, version, day]) => `${version}, ${day}`,
  );
  expect([...read('what-changed').matchAll(/^## (\d.+)$/gm)].map(([, heading]) => heading)).toEqual(versions);
});

test('rate-limits.md has every rule and its limit', () => {
  const rows = rowsUnder('rate-limits', 'Rule').map(([name = '', limit]) => ({ name: codes(name)[0], limit: Number(limit) }));
  expect(rows).toEqual(Object.values(rateRules));
  expect(read('rate-limits')).toContain(`${webhookTestRule.limit} webhook tests`);
});

test('webhooks.md has the headers of a delivery', () => {
  const delivery = { eventId: 'evt_1', secret: 'whsec_a', previousSecret: 'whsec_b', nowMs: 0, body: '{}' };
  const names = rowsUnder('webhooks', 'Header').map(([name = '']) => codes(name)[0]);
  expect(names.sort()).toEqual(Object.keys(deliveryHeaders(delivery)).sort());
});

describe.each(Object.entries(guideParts))('%s', (page, parts) => {
  test.each(Object.entries(parts))(`${page} has the generated part "%s" (\`npm run tables\` writes it)`, (name, part) => {
    expect(statedIn(readPage(page), name)).toBe(part);
  });
});

test.each(Object.entries(guideFiles))('%s is generated (`npm run tables` writes it)', (file, make) => {
  expect(readFileSync(file, 'utf8')).toBe(make());
});

test('storefronts.md has the limits that shoppers share', () => {
  const { read: reads, write, publicIp } = rateRules;
  const page = read('storefronts').replaceAll(/\s+/g, ' ');
  for (const limit of [`${reads.limit} reads`, `${write.limit} writes`, `${publicIp.limit} requests`]) expect(page).toContain(limit);
});

test.each(['docs/deploy.md', 'docs/guides/go-live.md'])('%s: where Stripe sends its notices, and of what', (page) => {
  const text = readFileSync(page, 'utf8');
  const { path } = pages.find(({ operation }) => operation === 'takeNotice') ?? {};
  expect(path).toBe('/checkout/{account}/notices/{provider}');
  expect(text).toMatch(/\/checkout\/(\{account\}|acct_…)\/notices\/stripe/);
  expect(noticeTypes.filter((type) => !text.includes(`\`${type}\``))).toEqual([]);
});

test('storefronts.md has the operations that accept publishable keys', () => {
  const { paths } = readJson('docs/openapi.json') as { paths: Record<string, Record<string, { 'x-key-types'?: string[] }>> };
  const taken = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { 'x-key-types': keys }]) =>
      keys?.includes('publishable') ? `${method.toUpperCase()} ${path}` : [],
    ),
  );
  const rows = rowsUnder('storefronts', 'Endpoint').flatMap(([endpoints = '']) => codes(endpoints));
  expect(rows.sort()).toEqual(taken.sort());
});
