import { randomUUID } from 'node:crypto';
import type { ActionName, ActionOutput } from '../functions/actions/index.ts';
import type { LocalRegion } from '../local/gateway/own-endpoints.ts';
import type { Region } from '../shared/core/config.ts';
import { invalidValue } from '../shared/core/errors.ts';
import type { AccountChoice, Target } from './arguments.ts';
import { invoke, listLocalRegions } from './invoke.ts';

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

const findLocalRegion = async (port: number, region: Region | undefined, account: string | undefined): Promise<LocalRegion> => {
  const localRegions = await listLocalRegions(port);
  const localRegion = localRegions.find((one) => (region === undefined ? account !== undefined || one.demo : one.region === region));
  if (localRegion) return localRegion;
  if (region === undefined) throw invalidValue('account', 'The service has no demo account. Name an account with --region and --account.');
  throw invalidValue('region', `Region ${region} does not run. These do: ${localRegions.map((one) => one.region).join(', ')}.`);
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
  if (account === undefined) throw invalidValue('account', `Region ${region} has no demo account. Name an account with --account.`);
  const demoKey = account === demo?.account ? demo.secretKey : undefined;
  return open({ port: choice.port }, env, { region, id: account, demoKey }, async () => url);
};
