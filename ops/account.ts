import { randomUUID } from 'node:crypto';
import type { ActionName, ActionOutput } from '../functions/actions/index.ts';
import type { LocalRegion } from '../local/gateway/own-endpoints.ts';
import type { Region } from '../shared/core/config.ts';
import { ApiError, invalidValue } from '../shared/core/errors.ts';
import { type AccountChoice, missingRegion, type OpsCall, type Target, whereToFind } from './arguments.ts';
import type { DescribedAction } from './describe.ts';
import { invoke, listLocalRegions } from './invoke.ts';
import { ServiceError } from './response.ts';
import { visibleLine } from './terminal.ts';

/** An account of the local service or of a deployed stack. */
export interface OpsAccount {
  readonly target: Target;
  readonly region: Region;
  readonly id: string;
  readonly name: string;
  /** Returns the API's URL. For a deployed stack, reads the stack's output. */
  apiUrl(): Promise<string>;
  /** API key of the demo account; undefined for other accounts. */
  readonly demoKey: string | undefined;
  /** Runs a dashboard action on the account. Throws the service's error. */
  act<Name extends ActionName>(action: Name, input?: unknown): Promise<ActionOutput<Name>>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the region that has the account. Throws `not_found`. */
const regionWith = async (port: number, account: string, localRegions: readonly LocalRegion[]): Promise<LocalRegion> => {
  for (const localRegion of localRegions)
    try {
      await invoke({ port }, localRegion.region, { action: 'account.get', account }, {});
      return localRegion;
    } catch (error) {
      if (!(error instanceof ServiceError && error.body.error['code'] === 'not_found')) throw error;
    }
  throw new ApiError('not_found', `No region that runs has the account ${account}. Check --account.`);
};

const findLocalRegion = async (port: number, region: Region | undefined, account: string | undefined): Promise<LocalRegion> => {
  const localRegions = await listLocalRegions(port);
  if (region === undefined && account !== undefined) return regionWith(port, account, localRegions);
  const localRegion = localRegions.find((one) => (region === undefined ? one.demo : one.region === region));
  if (localRegion) return localRegion;
  if (region === undefined) throw noDemo('The service');
  throw invalidValue('region', `Region ${region} does not run. These do: ${localRegions.map((one) => one.region).join(', ')}.`);
};

const noDemo = (whose: string): Error =>
  invalidValue('account', `${whose} has no demo account. Name an account with --account: account.create prints its id.`);

/** Returns the line about the account of the local service that a command took, because its options name none. */
export const takenAccount = ({ id, name, region }: Pick<OpsAccount, 'id' | 'name' | 'region'>): string =>
  `The account is ${id} (${visibleLine(name)}, ${region}). --region and --account name another.\n`;

/**
 * The error of a change that does not name its region or its account. If the local service runs, it
 * has the options of a demo account.
 */
export const missingOptions = async (
  name: string,
  missing: readonly ('region' | 'account')[],
  { port, region }: { readonly port: number; readonly region: Region | undefined },
): Promise<Error> => {
  const isOnAccount = missing.includes('account');
  const localRegions = isOnAccount ? await listLocalRegions(port).catch(() => []) : [];
  const found = localRegions.find((one) => one.demo && (region === undefined || one.region === region));
  const values = { region: found?.region, account: found?.demo?.account };
  const options = missing.map((option) => `--${option} ${values[option]}`).join(' ');
  const example = found?.demo ? ` ${visibleLine(found.demo.name)} has ${options}.` : '';
  const where = whereToFind[isOnAccount ? 'account' : 'region'];
  return invalidValue(missing[0] ?? 'region', `${name} changes records. Name --${missing.join(' and --')}: ${where}.${example}`);
};

/** Region and account of a call. `taken` is a line about what the options do not name. */
interface Place {
  readonly region: Region;
  readonly account: string | undefined;
  readonly taken?: string;
}

/** What an action needs beside its input. */
interface Needs extends Pick<DescribedAction, 'account' | 'reads'> {
  /** The account that the input names, for actions on the account itself. */
  readonly inInput: string | undefined;
}

/**
 * Returns the region and the account of an action of which the options name only one or neither
 * (decisions §8). An action that only reads takes the first demo account of the local service, and
 * says so. Throws `invalid_value` with the missing option and how to find its value.
 */
export const completeCall = async (call: OpsCall, { account: needed, reads, inInput }: Needs): Promise<Place> => {
  const { action, target, region } = call;
  const named = call.account ?? inInput;
  const needsAccount = needed !== 'none' && named === undefined;
  // A deployed stack rejects a call without its account itself.
  if (region !== undefined && (!needsAccount || !('port' in target))) return { region, account: call.account };
  if (!('port' in target)) throw missingRegion();
  if (!reads) {
    const missing = [region === undefined && ('region' as const), needsAccount && ('account' as const)].filter((name) => name !== false);
    throw await missingOptions(action, missing, { port: target.port, region });
  }
  const { region: found, demo } = await findLocalRegion(target.port, region, named);
  if (!needsAccount) {
    const taken = named === undefined ? `The region is ${found}. --region names another.\n` : `The account is in region ${found}.\n`;
    return { region: found, account: call.account, taken };
  }
  if (!demo) throw noDemo(`Region ${found}`);
  return { region: found, account: demo.account, taken: takenAccount({ id: demo.account, name: demo.name, region: found }) };
};

const open = async (
  target: Target,
  env: Env,
  found: Pick<OpsAccount, 'region' | 'id' | 'demoKey'>,
  apiUrl: OpsAccount['apiUrl'],
): Promise<OpsAccount> => {
  const { region, id } = found;
  const act: OpsAccount['act'] = async <Name extends ActionName>(action: Name, input?: unknown) => {
    return (await invoke(target, region, { action, account: id, input, token: randomUUID() }, env)) as ActionOutput<Name>;
  };
  const { name } = await act('account.get');
  return { ...found, target, name, act, apiUrl };
};

/**
 * Finds the account. Throws `invalid_value` with the option, `not_found`, or `internal_error` if no
 * service responds.
 */
export const openAccount = async (choice: AccountChoice, env: Env): Promise<OpsAccount> => {
  if ('stack' in choice) {
    const { stack, region, account } = choice;
    const apiUrl = async () => `${await (await import('./deployed.ts')).stackOutput(stack, region, 'ApiUrl', env)}/api/v2`;
    return open({ stack }, env, { region, id: account, demoKey: undefined }, apiUrl);
  }
  const { region, url, demo } = await findLocalRegion(choice.port, choice.region, choice.account);
  const account = choice.account ?? demo?.account;
  if (account === undefined) throw noDemo(`Region ${region}`);
  const demoKey = account === demo?.account ? demo.secretKey : undefined;
  return open({ port: choice.port }, env, { region, id: account, demoKey }, async () => url);
};
