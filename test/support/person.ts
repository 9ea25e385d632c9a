import { inflateRawSync } from 'node:zlib';
import { textsOf } from '../contract/inputs.ts';
import type { World } from './world.ts';

/** A person with unique details, so that a search finds what is left of them. */
export const person = {
  first_name: 'Zerlinde',
  last_name: 'Quastenfloss',
  email: 'Zerlinde.Q@quastenfloss.example',
  phone: '+49 30 5550199',
  company: 'Atelier Nachtfalter',
} as const;

export const details = {
  address: { line1: 'Irrgartenweg 7', city: 'Hinterwinkel' },
  notes: 'Marzipanfeindin, bitte klingeln',
  external_id: 'crm-geheim-77',
  metadata: { referrer: 'tante-kunigunde' },
} as const;

/** Lower-case texts. Each detail above contains one of them. */
export const traces = [
  'zerlinde',
  'quastenfloss',
  '5550199',
  'nachtfalter',
  'irrgartenweg',
  'hinterwinkel',
  'marzipanfeindin',
  'crm-geheim',
  'tante-kunigunde',
  'visa-der-dame',
];

/** Fills every text field of a body that is not given. */
export const marked = <Fields extends object>(schema: object, fields: Fields): Fields => ({
  ...Object.fromEntries(textsOf(schema).flatMap((field) => (/\./.test(field) ? [] : [[field, `Zerlinde ${field}`]]))),
  ...fields,
});

export interface StoredItem {
  readonly key: string;
  readonly item: Record<string, unknown>;
}

type Engine = { readonly engine: Pick<World['engine'], 'items'> } & Pick<World, 'tables'>;

/**
 * Returns all stored items of both tables directly from the engine, or those with the account in
 * their key.
 */
export const allItems = async ({ engine, tables }: Engine, account = ''): Promise<readonly StoredItem[]> => {
  const items = await Promise.all([tables.tableName, tables.bucketsTableName].map((table) => engine.items(table)));
  return items.flat().flatMap((item) => {
    const { pk, sk } = item;
    return String(pk).includes(account) ? [{ key: [pk, sk].filter(Boolean).join(' '), item }] : [];
  });
};

/** Returns deflated values as text. */
const inflated = (_name: string, value: unknown): unknown => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value);

const textOf = (item: StoredItem): string => JSON.stringify(item, inflated).toLowerCase();

/** Texts that a random id, hash or secret contains by chance, once in some thousand runs. */
const mayBeRandom = /^[\w+/-]{0,5}$/;

/** Returns the keys of the items that contain any of the texts, in any case. Throws for a text that may be random. */
export const keysContaining = (items: readonly StoredItem[], texts: readonly string[]): readonly string[] => {
  const unsafe = texts.find((text) => mayBeRandom.test(text));
  if (unsafe !== undefined) throw new Error(`A random value may contain "${unsafe}" by chance.`);
  return items.filter((item) => texts.some((text) => textOf(item).includes(text.toLowerCase()))).map(({ key }) => key);
};

/** Returns texts about the person with their place: `ord#acct_1 ord_1: irrgartenweg`. */
export const tracesIn = (items: readonly StoredItem[]): string[] =>
  items.flatMap((stored) => {
    const { key } = stored;
    const text = textOf(stored);
    return traces.filter((trace) => text.includes(trace)).map((trace) => `${key}: ${trace}`);
  });

/** Returns the kinds of items with details of the person, by key prefix. */
export const kindsWithTraces = (items: readonly StoredItem[]): string[] =>
  [...new Set(tracesIn(items).map((trace) => trace.split('#')[0] ?? ''))].sort();
