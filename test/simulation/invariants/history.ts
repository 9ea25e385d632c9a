import type { Item } from '../../../local/engine/commands/values.ts';
import type { Account } from '../../../shared/domain/account/record.ts';
import type { Change } from '../engine/table.ts';
import { isByHand } from '../reading/expected-events.ts';
import { type Fields, type Kind, prefixes, recordIn } from '../reading/records.ts';
import { type Evidence, itemsOf } from './invariant.ts';

/** Returns the present items of a kind and an account. */
export const itemsOfKind = (evidence: Evidence, kind: Kind, account: string): readonly Item[] => {
  const home = `${prefixes[kind]}#${account}`;
  return itemsOf(evidence).filter(({ pk }) => pk === home || String(pk).startsWith(`${home}#`));
};

/** Returns the present record with this id. */
export const recordAt = ({ region }: Evidence, kind: Kind, account: string, id: string): Fields | undefined => {
  const item = region.engine.table('simulated').get({ pk: `${prefixes[kind]}#${account}`, sk: kind === 'account' ? 'account' : id });
  return item && recordIn(item);
};

/** Returns the records of these items. */
export const recordsOf = <Record>(evidence: Evidence, kind: Kind, account: string): readonly Record[] =>
  itemsOfKind(evidence, kind, account).map((item) => recordIn<Record>(item));

/** Returns every change of an account's records of a kind, in order. */
export const changesOf = ({ region }: Evidence, kind: Kind, account: string): readonly Change[] =>
  region.engine.table('simulated').changes.filter(({ key }) => key['pk'] === `${prefixes[kind]}#${account}` && !isByHand(key));

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
