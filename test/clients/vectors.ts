import { readFileSync } from 'node:fs';

/**
 * Test vectors for the TypeScript and Python clients: Jest reads `vectors/*.json` here, and pytest
 * reads it in `test/python`.
 */
export interface RetryVectors {
  readonly answers: Readonly<
    Record<string, { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }>
  >;
  readonly cases: readonly {
    readonly says: string;
    readonly calls: readonly string[];
    /** Names of responses, or `unreachable`. */
    readonly met: readonly string[];
    /** Seconds. */
    readonly waits: readonly number[];
    readonly ends: string;
    readonly max_retries?: number;
    readonly max_retry_after?: number;
    readonly random?: number;
  }[];
}

export interface SignatureVectors {
  /** Seconds since the epoch. */
  readonly now: number;
  readonly cases: readonly {
    readonly says: string;
    readonly raw: string;
    /** In any of the forms that the clients accept. */
    readonly headers: unknown;
    readonly secret: string | readonly string[];
    readonly outcome: 'verified' | 'missing' | 'mismatch' | 'stale' | 'malformed';
    readonly message?: string;
    readonly tolerance?: number;
  }[];
}

const read = <Vectors>(name: string): Vectors => JSON.parse(readFileSync(`test/clients/vectors/${name}.json`, 'utf8')) as Vectors;

export const retryVectors = read<RetryVectors>('retries');
export const signatureVectors = read<SignatureVectors>('signatures');
