import { randomUUID } from 'node:crypto';
import type { ActionName, ActionOutput } from '../functions/actions/index.ts';
import type { Place } from '../local/gateway/own-endpoints.ts';
import { invalidValue } from '../shared/core/errors.ts';
import { isRegion, type Region, regions } from '../shared/core/regions.ts';
import { invokeLocal, localPlaces } from './invoke.ts';

/** Whose bakery a command is about, as its options say; absent is the demo account of the first region. */
export interface AccountChoice {
  readonly port: number;
  readonly region?: string;
  readonly account?: string;
}

/** One account of the running local service. */
export interface LocalAccount {
  readonly region: Region;
  readonly id: string;
  readonly name: string;
  /** The API's address. */
  readonly url: string;
  /** The demo account's own, where this is that one. */
  readonly demoKey: string | undefined;
  /** One dashboard action on the account; throws the service's refusal. */
  act<Name extends ActionName>(action: Name, input?: unknown): Promise<ActionOutput<Name>>;
}

const placeOf = async ({ port, region, account }: AccountChoice): Promise<Place> => {
  if (region !== undefined && !isRegion(region)) throw invalidValue('region', `--region must be one of ${regions.join(', ')}.`);
  const places = await localPlaces(port);
  const place = places.find((one) => (region === undefined ? account !== undefined || one.demo : one.region === region));
  if (place) return place;
  if (region === undefined) throw invalidValue('account', 'The service has no demo account; name one with --region and --account.');
  throw invalidValue('region', `Region ${region} does not run; ${places.map((one) => one.region).join(', ')} do.`);
};

/** Finds the account; throws `invalid_value` naming the option, `not_found`, or `internal_error` where no service answers. */
export const openLocalAccount = async (choice: AccountChoice): Promise<LocalAccount> => {
  const { region, url, demo } = await placeOf(choice);
  const account = choice.account ?? demo?.account;
  if (account === undefined) throw invalidValue('account', `Region ${region} has no demo account; name one with --account.`);
  const act: LocalAccount['act'] = async <Name extends ActionName>(action: Name, input?: unknown) => {
    const call = { action, account, ...(input === undefined ? {} : { input }), token: randomUUID() };
    return (await invokeLocal(choice.port, region, call)) as ActionOutput<Name>;
  };
  const { name } = await act('account.get');
  return { region, id: account, name, url, demoKey: account === demo?.account ? demo.secretKey : undefined, act };
};
