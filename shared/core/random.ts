import { randomBytes } from 'node:crypto';

/** The one source of chance. Handed in, so that a seed may decide it. */
export interface Random {
  /** From 0 to below 1; for jitter and the like, as it may be guessed. */
  fraction(): number;
  /** Unguessable bytes for secrets and ids. */
  bytes(size: number): Uint8Array;
}

export const systemRandom: Random = { fraction: () => Math.random(), bytes: (size) => randomBytes(size) };

/** So many random bytes in base64url. */
export const randomText = (random: Pick<Random, 'bytes'>, size: number): string => Buffer.from(random.bytes(size)).toString('base64url');
