import { isEndpointKey } from '../reading/endpoints.ts';
import { bodyIn, type Evidence, type Invariant, itemsOf, textOf } from './invariant.ts';

/** Returns the accounts in a value, at any depth. */
const accountsIn = (value: object): ReadonlySet<string> => new Set(textOf(value).match(/acct_[0-9a-z]{26}/g) ?? []);

/** Returns other accounts that a stored record names. A record without an account may name one. */
const strangersIn = (item: Readonly<Record<string, unknown>>): readonly string[] => {
  const owner = String(item['pk']).split('#')[1] ?? '';
  const named = accountsIn(item);
  const isOwned = owner.startsWith('acct_');
  return isOwned ? [...named].filter((one) => one !== owner) : [...named].slice(1);
};

const idsOf = (evidence: Evidence, kind: string): ReadonlyMap<string, string> =>
  new Map(
    evidence.region.engine.table('simulated').changes.flatMap(({ key }) => {
      const [its, owner = ''] = String(key['pk']).split('#');
      return its === kind ? [[String(key['sk']), owner] as const] : [];
    }),
  );

/** Returns events with their body in their only delivery record, and the account in the body. */
const tenantsOfBodies = (evidence: Evidence): readonly (readonly [string, string])[] =>
  itemsOf(evidence).flatMap((item) => {
    const body = String(item['pk']).startsWith('dlv#') ? bodyIn(item) : undefined;
    return body === undefined ? [] : [[String(item['sk']), String(JSON.parse(body).tenant_id)]];
  });

/** Returns messages, records and requests that contain data of more than one account. */
const mixed = (evidence: Evidence): readonly string[] => {
  const { receivers, searchEngine, pipeline, engine } = evidence.region;
  const [endpoints, products] = [idsOf(evidence, 'whe'), idsOf(evidence, 'prd')];
  const events = new Map([...idsOf(evidence, 'evt'), ...tenantsOfBodies(evidence)]);
  const urls = new Map(
    engine
      .table('simulated')
      .changes.flatMap(({ key, after }) =>
        isEndpointKey(key) && after ? [[String(after['url']), String(key['pk']).split('#')[1]] as const] : [],
      ),
  );
  const foreign = (what: string, account: unknown, ids: ReadonlyMap<string, string>, id: unknown): readonly string[] => {
    const owner = ids.get(String(id));
    return owner === undefined || owner === account ? [] : [`${what} for ${account} names ${id} of ${owner}.`];
  };
  return [
    ...itemsOf(evidence).flatMap(({ pk, sk }) => {
      const [kind, account, endpoint] = String(pk).split('#');
      return kind === 'dlv' ? [...foreign('A delivery', account, endpoints, endpoint), ...foreign('A delivery', account, events, sk)] : [];
    }),
    ...[...pipeline.queues.delivery.history, ...pipeline.queues.search.history].flatMap(({ body }) => {
      const { account, endpoint, event, product } = JSON.parse(body) as Record<string, unknown>;
      return [
        ...foreign('A message', account, endpoints, endpoint),
        ...foreign('A message', account, events, event),
        ...foreign('A message', account, products, product),
      ];
    }),
    ...receivers.attempts.flatMap(({ url, body }) =>
      [...accountsIn(JSON.parse(body))].flatMap((account) => foreign('A request', account, urls as ReadonlyMap<string, string>, url)),
    ),
    ...searchEngine.requests.flatMap(({ account, product }) => foreign('A document', account, products, product)),
  ];
};

export const apart: Invariant = {
  number: 12,
  name: 'no record of one account is read, written or sent for another',
  breaches(evidence) {
    const changes = evidence.region.engine.table('simulated').changes;
    return [
      ...evidence.region.trespasses,
      ...changes.flatMap(({ key, after }) =>
        after ? strangersIn(after).map((account) => `${key['pk']} ${key['sk']} tells of ${account}.`) : [],
      ),
      ...mixed(evidence),
    ];
  },
};
