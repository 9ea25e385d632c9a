import { randomBytes } from 'node:crypto';

/**
 * The only source of random values. Functions receive it as a parameter, so that tests can use a
 * seed.
 */
export interface Random {
  /** A predictable number from 0 to below 1. Use it only to spread retries. */
  fraction(): number;
  /** Cryptographically random bytes, for secrets and ids. */
  bytes(size: number): Uint8Array;
}

export const systemRandom: Random = { fraction: () => Math.random(), bytes: (size) => randomBytes(size) };

/** Returns `size` random bytes in base64url. */
export const randomText = (random: Pick<Random, 'bytes'>, size: number): string => Buffer.from(random.bytes(size)).toString('base64url');
