import { inflateRawSync } from 'node:zlib';
import type { Journal } from '../people/journal.ts';
import type { Play, Tenant } from '../people/person.ts';
import type { Region } from '../world/region.ts';

/**
 * The input of an invariant: the actions that people recorded, and the world after all work has
 * ended.
 */
export interface Evidence {
  /** Without the product's stores, because an expectation that reads with them cannot find their faults. */
  readonly region: Omit<Region, 'store'>;
  readonly journal: Journal;
  readonly accounts: readonly string[];
  readonly tenants: readonly Tenant[];
}

/** A guarantee of the service. Returns a sentence for each violation. */
export interface Invariant {
  /** Its number among the invariants of the simulator. */
  readonly number: number;
  readonly name: string;
  /** Set if only some plays have the people that it checks, and record what they do. */
  readonly only?: readonly Play[];
  readonly breaches: (evidence: Evidence) => Promise<readonly string[]> | readonly string[];
}

export const nameOf = ({ number, name }: Invariant): string => `${number}: ${name}`;

/** The invariant of a scenario that does not end, or ends with an error. */
export const scenarioEnds = '0: a scenario comes to its end';

/** Caches a value that several invariants derive from the same world. */
export const oncePer = <Value, Input extends Pick<Evidence, 'region'> = Pick<Evidence, 'region'>>(
  reckon: (evidence: Input) => Value,
): ((evidence: Input) => Value) => {
  const known = new WeakMap<Evidence['region'], Value>();
  return (evidence) => {
    const value = known.get(evidence.region) ?? reckon(evidence);
    known.set(evidence.region, value);
    return value;
  };
};

type Item = Readonly<Record<string, unknown>>;

/** Returns an item as text, with compressed bodies and responses as plain text. */
export const textOf = (item: object): string =>
  JSON.stringify(item, (_name, value) => (value instanceof Uint8Array ? inflateRawSync(value).toString() : value));

/** Returns the body of an event that an item stores, decompressed if it is compressed. */
export const bodyIn = (item: Item | undefined): string | undefined => {
  const body = item?.['body'];
  return body instanceof Uint8Array ? inflateRawSync(body).toString() : (body as string | undefined);
};

export const itemsOf = ({ region }: Evidence) => [...region.engine.table('simulated').items()];
