import { indexesOf, type Kind, type KindRow, kindNames, kinds } from '../../shared/table/schema.ts';
import { table } from '../support/marked-tables.ts';

/**
 * Partition and sort keys of a kind after its prefix, if they are not the account and the record's
 * id.
 */
const keysOf: Readonly<Partial<Record<Kind, readonly [partition: string, sort: string]>>> = {
  account: ['{account}', '`account`'],
  apiKey: ['{account}, {digest}', "the key's id; `key`"],
  keyUse: ['{account}', "the key's id"],
  settings: ['{account}', '`settings`'],
  feeLine: ['{account}', '`{day}#{digest of the transaction}`'],
  feeTransaction: ['{account}', 'digest of the transaction'],
  unbookedFee: ['{account}', 'digest of the transaction'],
  payment: ['{account}#{order}', 'id'],
  paymentPointer: ['{account}', "the payment's id"],
  customerEmail: ['{account}', 'the email in lower case, its domain in ASCII'],
  counter: ['{account}', '`order_number`; `orders_{month}`'],
  idempotency: ['{account}, token#{token}', '`secret#` or `publishable#` and the Idempotency-Key, `action#` and the token; `claim`'],
  event: ['{account}', 'event id'],
  deliveryRecord: ['{account}#{endpoint}', 'event id'],
  notice: ['{account}', '{id}'],
  endpoint: ['{account}', 'id; `former#{time}#{id}` of a deleted one, for 30 days'],
  endpointRegistry: ['{account}', '`registry`'],
  erasure: [
    '{account}',
    "the customer's id, `*` for the account; `order` and the id of an erased order; `waits` and the ids of the customer and a session",
  ],
  due: ['{shard}', 'an index partition of delivery records'],
  heartbeat: ['stream', '`beat`, the one item'],
};

const rows = kindNames.map((kind) => ({
  kind,
  keys: keysOf[kind] ?? (['{account}', 'id'] as const),
  indexes: indexesOf(kind),
  ...(kinds[kind] as KindRow),
}));

const retentionWords = (period: KindRow['retention']): string => {
  if (period === null) return '';
  return typeof period === 'number'
    ? `${period} ${period === 1 ? 'day' : 'days'}`
    : { person: 'until erased', account: 'until the account is erased' }[period];
};

const accountWords = { each: 'deleted', 'own way': 'deleted, in a way of its own', 'with another': 'deleted with another kind' } as const;
const personWords: Readonly<Record<string, string>> = { known: 'at once', 'with another': 'with another kind' };

/** Generated tables of kinds, by page and by name of the part. */
export const kindTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/cost.md': {
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
                  .map(([field, source]) => `${field} (${source})`)
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
        .filter(({ retention }) => retention !== null)
        .map(({ kind, retention, exported, erased, person }) => [
          kind,
          retentionWords(retention),
          exported === null ? '' : `\`${exported}\``,
          erased === null ? 'leaves a tombstone' : accountWords[erased],
          person === null ? '' : (personWords[person] ?? `searched, counted as \`${person}\``),
        ]),
    ),
  },
};
