import type { SSMClientConfig } from '@aws-sdk/client-ssm';
import type { Clock } from '../core/clock.ts';
import type { SecretPurpose } from '../core/config.ts';
import { atFirstUse } from '../core/promises.ts';
import { isReference, parameterOf } from '../domain/account/secret-reference.ts';

/**
 * Thrown if a reference does not lead to a secret. Its message names the parameter and the reason,
 * never a value.
 */
export class UnresolvedSecret extends Error {
  override readonly name = 'UnresolvedSecret';
}

/** Secrets in accounts' settings, stored there or referred to (docs/configuration.md, Secrets). */
export interface Secrets {
  /**
   * Returns the value itself or, if it is a reference, the value of the account's parameter.
   * Rejects with `UnresolvedSecret`, also if the reference names another purpose.
   */
  resolve(account: string, value: string, purpose: SecretPurpose): Promise<string>;
}

interface SecretsOptions {
  readonly clock: Clock;
  /** Returns the value of `<account>/<name>`. Rejects with the reason if it cannot be read. */
  readonly read: (parameter: string) => Promise<string>;
}

/** Time for which a secret is cached. After it, every function uses a changed secret. */
const keptMs = 300_000;
/**
 * Time for which a failure is cached. It limits calls, because AWS allows 40 reads per second for
 * all accounts of a region.
 */
const failureKeptMs = 10_000;
const mostKept = 1_000;

interface Kept {
  readonly secret: Promise<string>;
  untilMs: number;
}

export const openSecrets = ({ clock, read }: SecretsOptions): Secrets => {
  const kept = new Map<string, Kept>();

  const readNow = async (parameter: string): Promise<string> => {
    try {
      return await read(parameter);
    } catch (error) {
      throw new UnresolvedSecret(`Parameter ${parameter}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };

  const remember = (parameter: string): Promise<string> => {
    if (kept.size >= mostKept) kept.clear();
    const secret = readNow(parameter);
    const entry: Kept = { secret, untilMs: clock.now() + keptMs };
    kept.set(parameter, entry);
    secret.catch(() => {
      entry.untilMs = clock.now() + failureKeptMs;
    });
    return secret;
  };

  return {
    async resolve(account, value, purpose) {
      if (!isReference(value)) return value;
      const parameter = parameterOf(account, value, purpose);
      if (parameter === undefined) throw new UnresolvedSecret(`The reference is malformed or does not begin with ssm:${purpose}/.`);
      const known = kept.get(parameter);
      return known && clock.now() < known.untilMs ? await known.secret : await remember(parameter);
    },
  };
};

interface ParameterStoreOptions {
  /** Path below which the function may read, for example `/BakeryCommerce-us`. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: SSMClientConfig;
}

/**
 * Resolves references with AWS Systems Manager. Most accounts have no reference, so the client
 * loads at the first one.
 */
export const connectSecrets = ({ prefix, clock, client = {} }: ParameterStoreOptions): Secrets => {
  const store = atFirstUse({ read: true }, async () => (await import('./parameter-store.ts')).connectParameterStore(client));
  return openSecrets({ clock, read: (parameter) => store.read(`${prefix}/${parameter}`) });
};
