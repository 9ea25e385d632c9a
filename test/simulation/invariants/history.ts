import type { Account } from '../../../shared/domain/account/record.ts';
import { decodeRecord } from '../../../shared/table/records.ts';
import { type Kind, kinds } from '../../../shared/table/schema.ts';
import type { Change } from '../engine/table.ts';
import type { Item } from '../engine/values.ts';
import { byHand } from '../people/operator.ts';
import { type Evidence, itemsOf } from './invariant.ts';

/** Returns the present items of a kind and an account. */
export const itemsOfKind = (evidence: Evidence, kind: Kind, account: string): readonly Item[] => {
  const home = `${kinds[kind].prefix}#${account}`;
  return itemsOf(evidence).filter(({ pk }) => pk === home || String(pk).startsWith(`${home}#`));
};

/** Whether a key is of an endpoint, and not of the mark of a deleted one. */
export const isEndpointKey = ({ pk, sk }: Item): boolean => String(pk).startsWith('whe#') && String(sk).startsWith('whe_');

/** Returns the records of these items. */
export const recordsOf = <Record>(evidence: Evidence, kind: Kind, account: string): readonly Record[] =>
  itemsOfKind(evidence, kind, account).map((item) => decodeRecord<Record>({ ...item }).record);

/** Returns every change of an account's records of a kind, in order. */
export const changesOf = ({ region }: Evidence, kind: Kind, account: string): readonly Change[] =>
  region.engine
    .table('simulated')
    .changes.filter(({ key }) => key['pk'] === `${kinds[kind].prefix}#${account}` && !String(key['sk']).startsWith(byHand));

/** Returns the values of an account's field between two times, in milliseconds. */
export const valuesDuring = <Name extends keyof Account>(
  evidence: Evidence,
  account: string,
  name: Name,
  [fromMs, toMs]: readonly [number, number],
): readonly Account[Name][] => {
  const versions = changesOf(evidence, 'account', account);
  const seen = versions.filter(({ atMs }, i) => atMs <= toMs && (versions[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) >= fromMs);
  return seen.flatMap(({ after }) => (after ? [(after['data'] as unknown as Account)[name]] : []));
};
