import { inflateRawSync } from 'node:zlib';
import type { Journal } from '../people/journal.ts';
import type { Play, Tenant } from '../people/person.ts';
import type { Region } from '../world/region.ts';

/** Data of an invariant: the actions that people recorded, and the world at rest. */
export interface Evidence {
  readonly region: Region;
  readonly journal: Journal;
  readonly accounts: readonly string[];
  readonly tenants: readonly Tenant[];
}

/** A promise of the service: what breaks it, one sentence each. */
export interface Invariant {
  /** Its number among the invariants of the simulator. */
  readonly number: number;
  readonly name: string;
  /** Set if it can only be judged in one play, by actions of its people. */
  readonly only?: Play;
  readonly breaches: (evidence: Evidence) => Promise<readonly string[]> | readonly string[];
}

export const nameOf = ({ number, name }: Invariant): string => `${number}: ${name}`;

/** Broken by a scenario that does not end, or that ends with an error. */
export const scenarioEnds = '0: a scenario comes to its end';

/** Caches a value of a world at rest, which several invariants use. */
export const oncePer = <Value>(reckon: (evidence: Pick<Evidence, 'region'>) => Value): ((evidence: Pick<Evidence, 'region'>) => Value) => {
  const known = new WeakMap<Region, Value>();
  return ({ region }) => {
    const value = known.get(region) ?? reckon({ region });
    known.set(region, value);
    return value;
  };
};

type Item = Readonly<Record<string, unknown>>;

/** All of an item; what is kept deflated, as bodies and answers are, as the text that it is. */
export const textOf = (item: object): string =>
  JSON.stringify(item, (_name, value) => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value));

/**
 * The body of an event that an item keeps: as it is, or deflated in the record of its only
 * delivery.
 */
export const bodyIn = (item: Item | undefined): string | undefined => {
  const body = item?.['body'];
  return body instanceof Uint8Array ? inflateRawSync(body).toString() : (body as string | undefined);
};

export const itemsOf = ({ region }: Evidence) => [...region.engine.table('simulated').items()];
