import { randomBytes } from 'node:crypto';

/**
 * The only source of random values. Functions receive it, so that a seed can decide them in tests.
 */
export interface Random {
  /** A number from 0 to below 1. It can be guessed, so use it for jitter only. */
  fraction(): number;
  /** Bytes that nobody can guess, for secrets and ids. */
  bytes(size: number): Uint8Array;
}

export const systemRandom: Random = { fraction: () => Math.random(), bytes: (size) => randomBytes(size) };

/** Returns `size` random bytes in base64url. */
export const randomText = (random: Pick<Random, 'bytes'>, size: number): string => Buffer.from(random.bytes(size)).toString('base64url');
