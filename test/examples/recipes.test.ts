import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../shared/core/clock.ts';
import { cases } from '../verify-samples/deliveries.ts';
import { samplesOf } from './samples.ts';

const recipes = new Map(
  samplesOf('docs/guides/webhooks.md').flatMap(({ file, marks, text }) => (marks.includes('recipe') ? [[file, text]] : [])),
);
const nowSeconds = () => Math.floor(systemClock.now() / 1000);
const require = createRequire(import.meta.url);

type Delivery = ReturnType<(typeof cases)[number]['delivery']>;

/** Runs the code of a step, which may await and return, with the names that the tool gives it. */
const runStep = (file: string, names: Record<string, unknown>, self?: unknown): Promise<any> => {
  const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => (...values: unknown[]) => Promise<any>;
  return new AsyncFunction(...Object.keys(names), recipes.get(file) ?? '').call(self, ...Object.values(names));
};

/** Zapier passes the fields of the request that the step names, and a store that outlives the run. */
const inZapier = async ({ body, signature, previous, secret }: Delivery, store = new Map<string, unknown>()): Promise<boolean> => {
  const inputData = { body: String(body), signature, previous, secret, store: 'store' };
  const StoreClient = () => ({
    get: async (key: string) => store.get(key) ?? null,
    set: async (key: string, value: unknown) => store.set(key, value),
  });
  return (await runStep('zapier.js', { inputData, StoreClient, require })).accepted;
};

/** n8n passes headers in lower case, and the raw body as the binary property `data`. */
const inN8n = async ({ body, signature, previous, secret }: Delivery): Promise<boolean> => {
  const headers = { 'x-webhook-signature': signature, 'x-webhook-signature-previous': previous };
  const names = { $env: { BAKERY_WEBHOOK_SECRET: secret }, $input: { first: () => ({ json: { headers } }) }, require };
  const self = { helpers: { getBinaryDataBuffer: async (_item: number, property: string) => (property === 'data' ? body : undefined) } };
  return (await runStep('n8n.js', names, self)).length > 0;
};

/** The functions of Make that the recipe uses, as Make documents them. */
const functions = {
  get: (list: unknown[], position: number) => list[position - 1] ?? '',
  map: (list: Record<string, unknown>[], field: string, key: string, value: string) =>
    list.filter((one) => one[key] === value).map((one) => one[field]),
  split: (text: string, separator: string) => text.split(separator),
  first: (list: unknown[]) => list[0],
  last: (list: unknown[]) => list.at(-1),
  trim: (text: string) => text.trim(),
  replace: (text: string, from: string, to: string) => text.replace(from, to),
  sha256: (text: string, encoding: 'hex', key: string) => createHmac('sha256', key).update(text).digest(encoding),
  addMinutes: (seconds: number, minutes: number) => seconds + minutes * 60,
  formatDate: (seconds: number, _unix: 'X') => String(seconds),
};

/** Make passes the headers as a list of names and values, and the body as a text. */
const inMake = async ({ body, signature, secret }: Delivery): Promise<boolean> => {
  const headers = signature === undefined ? [] : [{ name: 'x-webhook-signature', value: signature }];
  const known: Record<string, any> = { ...functions, bundle: { __IMTHEADERS__: headers, value: String(body) }, secret, now: nowSeconds() };
  const evaluate = (formula: string) =>
    new Function(...Object.keys(known), `return ${formula.replaceAll(';', ',').replaceAll(/\b1\./g, 'bundle.')}`)(...Object.values(known));
  for (const [, name = '', template = ''] of (recipes.get('make.txt') ?? '').matchAll(/^(\w+) = (.+)$/gm))
    known[name] = template.replaceAll(/\{\{(.+?)\}\}/g, (_, formula: string) => evaluate(formula));
  const { expected, v1, t, earliest, latest } = known;
  return expected === v1 && Number(t) >= Number(earliest) && Number(t) <= Number(latest);
};

/** An event is JSON. Make's recipe reads one header only. */
const events = cases.filter(({ name }) => name !== 'genuine, any bytes');
const oneHeader = events.filter(({ name }) => name !== 'rotated, receiver has the old secret');

test.each([
  ...events.map((one) => ['Zapier', one.name, inZapier, one] as const),
  ...events.map((one) => ['n8n', one.name, inN8n, one] as const),
  ...oneHeader.map((one) => ['Make', one.name, inMake, one] as const),
])("%s's recipe accepts a delivery only if it is genuine: %s", async (_tool, _name, accepts, { isGenuine, delivery }) => {
  expect(await accepts(delivery(nowSeconds()))).toBe(isGenuine);
});

test("Zapier's recipe accepts a repeated event once", async () => {
  const [genuine] = events;
  const store = new Map();
  const delivery = genuine?.delivery(nowSeconds()) as Delivery;
  expect([await inZapier(delivery, store), await inZapier(delivery, store)]).toEqual([true, false]);
});
