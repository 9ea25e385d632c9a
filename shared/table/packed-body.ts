import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db, Item, ItemKey } from './client.ts';
import { expr } from './expressions.ts';
import { sendAlone, updateItem } from './write.ts';

/**
 * Bytes up to which a response is not deflated, because it fits into one KB together with its keys.
 * A transaction costs twice the usual price per KB written.
 */
const plainBytes = 600;

/** Returns the text to store: deflated if it is longer than 600 bytes and that makes it shorter. */
export const packBody = (body: string): string | Uint8Array => {
  const size = Buffer.byteLength(body);
  if (size <= plainBytes) return body;
  const deflated = deflateRawSync(body);
  return deflated.length < size ? deflated : body;
};

export const unpackBody = (stored: unknown): string =>
  typeof stored === 'string' ? stored : inflateRawSync(stored as Uint8Array).toString();

/** A body as an item stores it: plain, or deflated. */
export type PackedBody = string | Uint8Array;

/**
 * Replaces the body of an item if it is still `before`. Returns the item if it has another body; undefined
 * if this call replaced it, or the item is gone.
 */
export const replaceBody = async (db: Db, key: ItemKey, before: PackedBody, after: PackedBody): Promise<Item | undefined> => {
  const change = { set: { body: after }, where: expr`body = ${before}`, showOld: true };
  const { done, item } = await sendAlone(db, updateItem(db, { ...key }, change));
  return done ? undefined : item;
};

/**
 * Changes the body of an item, again if another call replaced it meanwhile: two erasures may find the same
 * body, and each removes only its own person. Returns whether it replaced the body.
 */
export const changeBody = async (
  stored: PackedBody | undefined,
  change: (body: string) => Promise<string | undefined>,
  replace: (before: PackedBody, after: string) => Promise<Item | undefined>,
): Promise<boolean> => {
  let before = stored;
  let isReplaced = false;
  while (before !== undefined) {
    const body = unpackBody(before);
    const after = await change(body);
    if (after === undefined || after === body) break;
    before = (await replace(before, after))?.['body'] as PackedBody | undefined;
    isReplaced = true;
  }
  return isReplaced;
};
