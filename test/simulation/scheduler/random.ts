import type { Random as Chance } from '../../../shared/core/random.ts';

/** The only source of random numbers. The seed determines all of them. */
export interface Random extends Chance {
  /** Returns an integer from 0 to `count - 1`. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<Entry>(entries: readonly Entry[]): Entry;
  /** Returns one of the names with a probability by its weight. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name;
}

/** Returns a generator of 32-bit numbers that initialise the state from a seed (splitmix32). */
const splitmix = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
};

const rotate = (value: number, by: number): number => ((value << by) | (value >>> (32 - by))) >>> 0;

/**
 * xoshiro128** by Blackman and Vigna. It uses 32-bit integers, so that every machine draws the
 * same.
 */
export const createRandom = (seed: number): Random => {
  const fill = splitmix((seed % 0x100000000) ^ Math.imul(Math.floor(seed / 0x100000000), 0x85ebca6b));
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  const draw = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5) >>> 0, 7), 9) >>> 0;
    const shifted = (b << 9) >>> 0;
    c = (c ^ a) >>> 0;
    d = (d ^ b) >>> 0;
    b = (b ^ c) >>> 0;
    a = (a ^ d) >>> 0;
    c = (c ^ shifted) >>> 0;
    d = rotate(d, 11);
    return result;
  };
  const random: Random = {
    fraction: () => draw() / 0x100000000,
    below: (count) => Math.floor(random.fraction() * count),
    chance: (probability) => random.fraction() < probability,
    pick: (entries) => entries[random.below(entries.length)] as (typeof entries)[number],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights & string, number][];
      let remaining = random.fraction() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        remaining -= weight;
        if (remaining < 0) return name as never;
      }
      return entries[0]?.[0] as never;
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => random.below(256)),
  };
  return random;
};

const fnv = (text: string, start: number): number => {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
};

/** Returns a named source. Draws from other sources do not affect it. */
export const streamOf = (seed: number, name: string): Random => {
  const text = `${seed}/${name}`;
  return createRandom((fnv(text, 0x811c9dc5) % 0x200000) * 0x100000000 + fnv(text, 0x050c5d1f));
};
