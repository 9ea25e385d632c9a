import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '../shared/core/random.ts';
import { newSecret } from '../shared/webhooks/signing.ts';
import type { OpsAccount } from './account.ts';

const isSecret = (text: string): boolean => /^whsec_[\w-]{43}$/.test(text);

/**
 * Returns the file of an account's secret, which only its owner can read. The demo account's file
 * does not depend on the account's id, because that changes.
 */
const fileOf = ({ target, region, id, demoKey }: OpsAccount, env: Readonly<Record<string, string | undefined>>) => {
  const folder = join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'bakery-commerce', 'listen');
  const port = 'port' in target ? target.port : 0;
  return { folder, file: join(folder, `${port}-${region}-${demoKey === undefined ? id : 'demo'}`) };
};

const read = (file: string): string | undefined => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return isSecret(text) ? text : undefined;
  } catch {
    return undefined;
  }
};

interface SigningSecret {
  readonly secret: string;
  /** Why the secret is valid in this run only; undefined if it was stored. */
  readonly storageFailure: string | undefined;
}

/** Stores the secret, or returns the secret that another `listen` has just stored. */
const storeSecret = (secret: string, folder: string, file: string, fresh: boolean): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporaryFile = `${file}.${process.pid}`; // a rename or link makes the file visible only when it is complete
  try {
    writeFileSync(temporaryFile, `${secret}\n`, { mode: 0o600 });
    if (fresh) renameSync(temporaryFile, file);
    else linkSync(temporaryFile, file);
    return secret;
  } catch (error) {
    const first = fresh ? undefined : read(file);
    if (first !== undefined) return first;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    renameSync(temporaryFile, file); // the file has no secret
    return secret;
  } finally {
    rmSync(temporaryFile, { force: true });
  }
};

/**
 * Returns the secret with which `listen` signs: the last run's, or a new one without it or
 * `fresh` is set.
 */
export const loadOrCreateSecret = (
  account: OpsAccount,
  { fresh, env }: { readonly fresh: boolean; readonly env: Readonly<Record<string, string | undefined>> },
): SigningSecret => {
  const { folder, file } = fileOf(account, env);
  const known = fresh ? undefined : read(file);
  if (known !== undefined) return { secret: known, storageFailure: undefined };
  const secret = newSecret(systemRandom);
  try {
    return { secret: storeSecret(secret, folder, file, fresh), storageFailure: undefined };
  } catch (error) {
    return { secret, storageFailure: (error as Error).message };
  }
};
