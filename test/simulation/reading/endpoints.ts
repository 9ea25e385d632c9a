import type { Item } from '../../../local/engine/commands/values.ts';
import type { Endpoint as Stored } from '../../../shared/domain/webhook/record.ts';
import { type Evidence, oncePer } from '../invariants/invariant.ts';

/** An endpoint without its leases. */
export type Endpoint = Omit<Stored, 'slots'>;

/** An endpoint's state from a time on; undefined after its deletion. */
export interface Version {
  readonly atMs: number;
  readonly endpoint: Endpoint | undefined;
}

/** Whether a key is of an endpoint, and not of the mark of a deleted one. */
export const isEndpointKey = ({ pk, sk }: Item): boolean => String(pk).startsWith('whe#') && String(sk).startsWith('whe_');

/** Returns every endpoint's versions, oldest first, from the history of the table. */
export const endpointVersions = oncePer(({ region }): ReadonlyMap<string, readonly Version[]> => {
  const versions = new Map<string, Version[]>();
  for (const { atMs, key, after } of region.engine.table('simulated').changes) {
    if (!isEndpointKey(key)) continue;
    const id = String(key['sk']);
    const account = String(key['pk']).split('#')[1];
    const known = versions.get(id) ?? [];
    versions.set(id, known);
    known.push({ atMs, endpoint: after && ({ ...after, id, account } as unknown as Endpoint) });
  }
  return versions;
});

/** Returns the versions of an endpoint between two times. */
export const endpointsDuring = (versions: readonly Version[], fromMs: number, toMs: number): readonly (Endpoint | undefined)[] =>
  [versions.findLast(({ atMs }) => atMs <= fromMs), ...versions.filter(({ atMs }) => atMs > fromMs && atMs <= toMs)].map(
    (version) => version?.endpoint,
  );

/** Returns the endpoints that ever had a URL, by URL. No two endpoints ever have the same one. */
export const endpointsByUrl = oncePer(({ region }: Pick<Evidence, 'region'>): ReadonlyMap<string, ReadonlySet<string>> => {
  const byUrl = new Map<string, Set<string>>();
  for (const [id, all] of endpointVersions({ region }))
    for (const { endpoint } of all) if (endpoint) byUrl.set(endpoint.url, (byUrl.get(endpoint.url) ?? new Set()).add(id));
  return byUrl;
});
