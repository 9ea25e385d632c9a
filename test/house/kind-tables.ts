import { indexesOf, type KindRow, kindNames, kinds } from '../../shared/table/schema.ts';
import { table } from '../support/marked-tables.ts';

const rows = kindNames.map((kind) => ({ kind, indexes: indexesOf(kind), ...(kinds[kind] as KindRow) }));

const keptWords = (kept: KindRow['kept']): string => {
  if (kept === null) return '';
  return typeof kept === 'number'
    ? `${kept} ${kept === 1 ? 'day' : 'days'}`
    : { person: 'until erased', account: 'until the account is erased' }[kept];
};

const accountWords = { each: 'deleted', 'own way': 'deleted, in a way of its own', 'with another': 'deleted with another kind' } as const;
const personWords: Readonly<Record<string, string>> = { known: 'at once', 'with another': 'with another kind' };

/** What the pages say of each kind, by page and by name of the part. */
export const kindTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/access-patterns.md': {
    kinds: table(
      ['Kind', '`pk`', '`sk`', 'Indexes'],
      rows.map(({ kind, prefix, keys: [partition, sort], indexes }) => [
        kind,
        partition
          .split(', ')
          .map((owner) => `\`${prefix}#${owner}\``)
          .join(', '),
        sort,
        indexes.join(' '),
      ]),
    ),
    lists: table(
      ['Kind', 'Lists', 'Indexes'],
      rows
        .filter(({ indexes }) => indexes.length > 0)
        .map(({ kind, lists, indexes }) => [
          kind,
          Object.entries(lists)
            .map(
              ([sort, sources]) =>
                `${sort}: ${Object.entries(sources)
                  .map(([member, source]) => `${member} (${source})`)
                  .join(', ')}`,
            )
            .join('; '),
          indexes.length,
        ]),
    ),
  },
  'docs/privacy.md': {
    'kinds kept': table(
      ['Kind', 'Kept', '`account.export`', '`account.erase`', '`customer.erase`'],
      rows
        .filter(({ kept }) => kept !== null)
        .map(({ kind, kept, exported, erased, person }) => [
          kind,
          keptWords(kept),
          exported === null ? '' : `\`${exported}\``,
          erased === null ? 'leaves a tombstone' : accountWords[erased],
          person === null ? '' : (personWords[person] ?? `searched, counted as \`${person}\``),
        ]),
    ),
  },
};
