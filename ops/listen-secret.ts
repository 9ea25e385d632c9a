import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '../shared/core/random.ts';
import { newSecret } from '../shared/webhooks/signing.ts';
import type { OpsAccount } from './account.ts';

const isSecret = (text: string): boolean => /^whsec_[\w-]{43}$/.test(text);

/** One file for each service and account, for its owner alone; the demo account has one that survives a new start with nothing kept. */
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

interface KeptSecret {
  readonly secret: string;
  /** Why it is for this run only. */
  readonly unkept: string | undefined;
}

/** Keeps the secret unless another listen that began at the same moment was first; resolves with the one that is kept. */
const keep = (secret: string, folder: string, file: string, fresh: boolean): string => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const whole = `${file}.${process.pid}`; // appears with all that it holds
  try {
    writeFileSync(whole, `${secret}\n`, { mode: 0o600 });
    if (fresh) renameSync(whole, file);
    else linkSync(whole, file);
    return secret;
  } catch (error) {
    const first = fresh ? undefined : read(file);
    if (first !== undefined) return first;
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    renameSync(whole, file); // what is there is no secret
    return secret;
  } finally {
    rmSync(whole, { force: true });
  }
};

/** The secret that `listen` signs with for this account: that of the run before, or a new one where there was none or it is to be `fresh`. */
export const keptSecret = (
  account: OpsAccount,
  { fresh, env }: { readonly fresh: boolean; readonly env: Readonly<Record<string, string | undefined>> },
): KeptSecret => {
  const { folder, file } = fileOf(account, env);
  const known = fresh ? undefined : read(file);
  if (known !== undefined) return { secret: known, unkept: undefined };
  const secret = newSecret(systemRandom);
  try {
    return { secret: keep(secret, folder, file, fresh), unkept: undefined };
  } catch (error) {
    return { secret, unkept: (error as Error).message };
  }
};
