import { systemRandom } from './random.ts';
import type { resources } from './resources.ts';

/** The prefixes of ids: those of resources, and those of the platform. */
type IdPrefix = (typeof resources)[keyof typeof resources]['ids'][number] | 'key' | 'acct' | 'evt' | 'ntc';

/** Matches valid text for an id in a path, an Idempotency-Key and the token of an action. */
export const sentIdPattern = /^[A-Za-z0-9_\-:.]{1,255}$/;

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford base32: sorts like its numbers
const timeLength = 10;
const tailLength = 16;

/** Returns the time as ten characters. These texts sort in the order of their times. */
export const timeText = (atMs: number): string => {
  let rest = Math.max(0, Math.floor(atMs));
  let text = '';
  for (let i = 0; i < timeLength; i++) {
    text = alphabet[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
};

/**
 * Returns an opaque id `<prefix>_<10 characters of time><16 of entropy>` that sorts by creation
 * time. `entropy` has at least 16 bytes: random for new records, a digest if the id must be
 * repeatable (event ids).
 */
export const makeId = (prefix: IdPrefix, atMs: number, entropy: Uint8Array): string => {
  let tail = '';
  for (let i = 0; i < tailLength; i++) tail += alphabet[(entropy[i] ?? 0) % 32];
  return `${prefix}_${timeText(atMs)}${tail}`;
};

/**
 * Returns the lower bound of all ids created at `atMs` or later. Every earlier id sorts before it.
 */
export const earliestId = (prefix: IdPrefix, atMs: number): string => `${prefix}_${timeText(atMs)}`;

/** Returns the part of an id that its entropy decides. */
export const tailOfId = (id: string): string => id.slice(-tailLength);

/** Returns the creation time of an id, in milliseconds. */
export const timeOfId = (id: string): number => {
  const start = id.indexOf('_') + 1;
  return [...id.slice(start, start + timeLength)].reduce((ms, digit) => ms * 32 + alphabet.indexOf(digit), 0);
};

/** Makes a new id. Functions receive it, so that tests can decide the ids. */
export type NewId = (prefix: IdPrefix, atMs: number) => string;

/**
 * The ids of the service. Those of one prefix sort in the order in which a process made them, also
 * within a millisecond: after the time, two characters count up to 1,024 of them.
 */
export const randomId: NewId = (() => {
  const latest = new Map<IdPrefix, readonly [atMs: number, count: number]>();
  return (prefix, atMs) => {
    const [latestMs, made = 0] = latest.get(prefix) ?? [];
    const count = latestMs === atMs ? made + 1 : 0;
    latest.set(prefix, [atMs, count]);
    return makeId(prefix, atMs, Uint8Array.of(count / 32, count, ...systemRandom.bytes(tailLength)));
  };
})();
