import type { Intent } from '../people/journal.ts';

export type MadeKind = Intent['kind'];

/** For each kind: the first segment of its keys, and the field with the marker. */
const kinds = {
  expense: { prefix: 'exp', marked: 'description' },
  order: { prefix: 'ord', marked: 'notes' },
  customer: { prefix: 'cus', marked: 'notes' },
  session: { prefix: 'chk', marked: 'notes' },
} as const satisfies Record<MadeKind, { readonly prefix: string; readonly marked: string }>;

export const prefixOf = (kind: MadeKind): string => kinds[kind].prefix;
export const madeKinds = Object.keys(kinds) as readonly MadeKind[];

/** Returns kind, account and intent of an item; undefined for other items. */
export const whatIsMade = (item: Readonly<Record<string, unknown>>) => {
  const [prefix, account] = String(item['pk']).split('#');
  const kind = madeKinds.find((one) => kinds[one].prefix === prefix);
  const view = item['view'] as Readonly<Record<string, unknown>>;
  // Orders of a checkout have the marker of their session.
  if (!kind || view['source'] === 'checkout') return undefined;
  return { kind, account, marker: String(view[kinds[kind].marked]) };
};
