import type { SSMClientConfig } from '@aws-sdk/client-ssm';
import { AccessDenied, NoResponse } from '../core/aws-calls.ts';
import type { Clock } from '../core/clock.ts';
import type { SecretPurpose } from '../core/config.ts';
import type { Log } from '../core/log.ts';
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
  /**
   * Returns the value of `<account>/<name>`. Rejects with the reason, which is a `NoResponse` if
   * the store did not respond, and an `AccessDenied` if the function has no right.
   */
  readonly read: (parameter: string) => Promise<string>;
  /** Gets a line for each failure that no merchant caused. */
  readonly log: Log;
}

/** Time for which a secret is cached. After it, every function uses a changed secret. */
const cacheMs = 300_000;
/**
 * Time for which a failure is cached. It limits calls, because AWS allows 40 calls per second for
 * all accounts of a region.
 */
const failureCacheMs = 10_000;
/**
 * Time since its last read for which a secret may be used while Parameter Store is throttled or
 * does not respond. It bounds the use of a secret that was changed or deleted meanwhile.
 */
const usableMs = 3_600_000;
/** Time until such a secret is read again. A read that times out takes nine seconds. */
const outageCacheMs = 60_000;
const maxCached = 1_000;

interface Times {
  /** When the secret was read; never for a failure. */
  readMs: number;
  /** Until when it is used without a read. */
  untilMs: number;
}

interface CachedSecret extends Times {
  readonly secret: Promise<string>;
}

export const openSecrets = ({ clock, read, log }: SecretsOptions): Secrets => {
  const cached = new Map<string, CachedSecret>();

  /** Returns the error, and logs it unless the parameter is missing, which is a slip of the merchant. */
  const unresolved = (parameter: string, error: unknown): UnresolvedSecret => {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof NoResponse || error instanceof AccessDenied)
      log({ op: 'secrets', code: 'internal_error', parameter, unreadable: reason });
    return new UnresolvedSecret(`Parameter ${parameter}: ${reason}`);
  };

  /** Reads the parameter. If the store does not respond, returns the former value while it is usable. */
  const readInto = async (entry: Times, parameter: string, former: CachedSecret | undefined): Promise<string> => {
    try {
      return await read(parameter);
    } catch (error) {
      const isUsable = error instanceof NoResponse && former !== undefined && clock.now() < former.readMs + usableMs;
      entry.readMs = isUsable ? former.readMs : Number.NEGATIVE_INFINITY;
      entry.untilMs = clock.now() + (isUsable ? outageCacheMs : failureCacheMs);
      if (!isUsable) throw unresolved(parameter, error);
      return await former.secret;
    }
  };

  const remember = (parameter: string, former: CachedSecret | undefined): Promise<string> => {
    const nowMs = clock.now();
    const entry = { readMs: nowMs, untilMs: nowMs + cacheMs };
    const secret = readInto(entry, parameter, former);
    cached.delete(parameter);
    // The oldest entry goes. Without the others, every account would read its secret again at once.
    const [oldest] = cached.keys();
    if (cached.size >= maxCached && oldest !== undefined) cached.delete(oldest);
    cached.set(parameter, Object.assign(entry, { secret }));
    return secret;
  };

  return {
    async resolve(account, value, purpose) {
      if (!isReference(value)) return value;
      const parameter = parameterOf(account, value, purpose);
      if (parameter === undefined) throw new UnresolvedSecret(`The reference is malformed or does not begin with ssm:${purpose}/.`);
      const known = cached.get(parameter);
      return known && clock.now() < known.untilMs ? await known.secret : await remember(parameter, known);
    },
  };
};

/** Most names that a call may have, by AWS's rule. */
const maxNamesPerCall = 10;

interface Batch {
  readonly names: Set<string>;
  readonly values: Promise<ReadonlyMap<string, string>>;
}

/**
 * Reads the parameters of an account that are needed at the same moment in one call, because AWS
 * counts calls. If AWS rejects the call, reads each alone, so that only the parameter at fault fails.
 */
const readTogether = (read: (names: readonly string[]) => Batch['values']): SecretsOptions['read'] => {
  const open = new Map<string, Batch>();
  const openBatch = (account: string): Batch => {
    const names = new Set<string>();
    const send = async () => {
      await Promise.resolve(); // until then, the same moment adds names
      if (open.get(account) === batch) open.delete(account);
      return await read([...names]);
    };
    const batch = { names, values: send() };
    open.set(account, batch);
    return batch;
  };
  return async (parameter) => {
    const [account = ''] = parameter.split('/');
    const known = open.get(account);
    const { names, values } = known && known.names.size < maxNamesPerCall ? known : openBatch(account);
    names.add(parameter);
    const found = await values.catch((error: unknown) => {
      if (error instanceof NoResponse || names.size === 1) throw error;
      return read([parameter]);
    });
    const value = found.get(parameter);
    if (value === undefined) throw new Error('400 ParameterNotFound');
    return value;
  };
};

interface ParameterStoreOptions {
  /** Path below which the function may read, for example `/BakeryCommerce-us`. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Endpoint, region and credentials, if they differ from the function's. */
  readonly client?: SSMClientConfig;
}

/**
 * Resolves references with AWS Systems Manager. Most accounts have no reference, so the client
 * loads at the first one.
 */
export const connectSecrets = ({ prefix, clock, log, client = {} }: ParameterStoreOptions): Secrets => {
  const store = atFirstUse({ read: true }, async () => (await import('./parameter-store.ts')).connectParameterStore(client));
  const read = async (parameters: readonly string[]) => {
    const values = await store.read(parameters.map((parameter) => `${prefix}/${parameter}`));
    return new Map([...values].map(([name, value]) => [name.slice(prefix.length + 1), value]));
  };
  return openSecrets({ clock, log, read: readTogether(read) });
};
