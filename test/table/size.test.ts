import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomId } from '../../shared/core/ids.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { encode } from '../../shared/table/encodings.ts';
import type { Records } from '../../shared/table/records.ts';
import type { Kind } from '../../shared/table/schema.ts';
import { maxRecordBytes, recordBytes } from '../../shared/table/size.ts';
import { expenseOf } from '../support/records.ts';
import { sampleProduct } from '../support/requests.ts';
import { shared } from '../support/shared.ts';
import { customerOf, orderOf, paymentOf } from '../support/shop.ts';
import { startWorld, type World } from '../support/world.ts';

type Fields = Readonly<Record<string, unknown>>;
type StoredFields = Fields & { readonly id: string };
type Writes = Pick<Records<any>, 'createWrite' | 'replaceWrite'>;

interface Case {
  readonly kind: Kind;
  readonly record: StoredFields;
  /** Returns the record with a text of this many bytes in it. */
  readonly fill: (record: StoredFields, bytes: number) => StoredFields;
  /** The longest value of each field that the service itself writes. */
  readonly later: Fields;
  readonly writes: (world: Pick<World, 'store'>) => Writes;
}

const now = '2030-03-14T08:00:00.000Z';
const longestId = `ord_${'z'.repeat(60)}`;
const amount = -999_999_999_999.99;
const changed = { updated_at: now, deleted_at: now };
const notes = (record: StoredFields, bytes: number): StoredFields => ({ ...record, notes: 'x'.repeat(bytes) });
const description = (record: StoredFields, bytes: number): StoredFields => ({ ...record, description: 'x'.repeat(bytes) });

const cases: readonly Case[] = [
  {
    kind: 'order',
    record: orderOf(0, { metadata: { a: 'é' } }) as unknown as StoredFields,
    fill: notes,
    later: {
      ...changed,
      status: 'payment_pending_verification',
      previous_status: 'payment_pending_verification',
      payment_status: 'partial_payment',
      counted: amount,
      customer_id: longestId,
      total: amount,
      subtotal: amount,
    },
    writes: ({ store }) => store.orders,
  },
  {
    kind: 'customer',
    record: customerOf(0) as unknown as StoredFields,
    fill: notes,
    later: { updated_at: now, erased_at: now },
    writes: ({ store: { customers } }) => ({
      createWrite: (account, customer) => customers.createWrites(account, customer)[0] as never,
      replaceWrite: (account, customer, before) => customers.replaceWrites(account, before as never, customer as never)[0] as never,
    }),
  },
  {
    kind: 'expense',
    record: expenseOf(0) as unknown as StoredFields,
    fill: notes,
    later: { ...changed, status: 'submitted', transaction_count: 9_999_999 },
    writes: ({ store }) => store.expenses,
  },
  {
    kind: 'product',
    record: sampleProduct(0, { category: '🍰'.repeat(255) }) as unknown as StoredFields,
    fill: description,
    later: { updated_at: now, status: 'deleted', hidden: true },
    writes: ({ store }) => store.products,
  },
  {
    kind: 'payment',
    record: paymentOf(0, { order_id: null, refunded_amount: 0 }) as unknown as StoredFields,
    fill: (record, bytes) => ({ ...record, gateway: { provider: 'x'.repeat(bytes), transaction_id: null } }),
    later: { updated_at: now, completed_at: now, status: 'completed', previous_status: 'completed', amount, total_amount: amount },
    writes: ({ store: { payments } }) => ({
      createWrite: (account, payment) => payments.createWrites(account, payment)[0] as never,
      replaceWrite: payments.replaceWrite,
    }),
  },
  {
    kind: 'quickSale',
    record: { id: randomId('qs', 0), items: [], description: null, updated_at: now },
    fill: description,
    later: { ...changed, gross_sales: amount, net_amount: amount },
    writes: ({ store }) => store.quickSales,
  },
  {
    kind: 'inventoryItem',
    record: { id: randomId('inv', 0), name: 'Flour', updated_at: now },
    fill: (record, bytes) => ({ ...record, name: 'x'.repeat(bytes) }),
    later: { updated_at: now, current_stock: amount },
    writes: ({ store }) => store.inventory,
  },
];

const contentOf = (kind: Kind, record: object): number => recordBytes(encode(kind, record));

/** Inputs reject these field names. */
const reserved = ['__proto__', 'prototype', 'constructor'];
/** Any JSON that a record may hold, under field names of its own. */
const content = fc.dictionary(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => !reserved.includes(name)),
  fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 90 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9, max: 1e12 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(fc.string(), fc.integer(), fc.array(fc.double({ noNaN: true, min: 1e-9, max: 1e12 })))),
  ),
  { maxKeys: 30 },
);

const world = shared(startWorld);

describe('the size of records', () => {
  const accountId = () => randomId('acct', world.clock.now());

  test.each(cases)('$kind: a record at the limit never becomes too large later, and a byte more is 400', async (one) => {
    const { kind, record, fill, later, writes } = one;
    const { store } = world;
    const { createWrite, replaceWrite } = writes(world);
    const account = accountId();
    // Texts over 64 bytes count.
    const room = maxRecordBytes - contentOf(kind, fill(record, 100));
    const full = fill(record, 100 + room);
    expect(contentOf(kind, full)).toBe(maxRecordBytes);
    const tooLarge = expect.objectContaining({ code: 'invalid_value' });
    const larger = fill(record, 100 + room + 1);
    expect(() => createWrite(account, larger)).toThrow(tooLarge as never);
    const stored = { record: full, revision: 1 };
    expect(() => replaceWrite(account, larger, stored)).toThrow(tooLarge as never);
    await store.commit([createWrite(account, full)]);
    await store.commit([replaceWrite(account, { ...full, ...later }, stored)]);
  });

  test('a record of any content is accepted by the engine if its bytes are within the limit', async () => {
    const { store } = world;
    await fc.assert(
      fc.asyncProperty(content, async (fields) => {
        const sized = (bytes: number) => ({ id: randomId('inv', 0), content: { ...fields, filler: 'x'.repeat(bytes) } }) as never;
        const full = sized(maxRecordBytes - contentOf('inventoryItem', sized(0)));
        expect(contentOf('inventoryItem', full)).toBe(maxRecordBytes);
        await store.commit([store.inventory.createWrite(accountId(), full)]);
      }),
      { numRuns: 20 },
    );
  });

  test('every write of an item that is too large is 400 before it is sent', async () => {
    const { store } = world;
    const request = { key: 'k', keyType: 'secret', route: 'createOrder', bodyHash: 'h', token: 't' } as const;
    const body = randomBytes(500_000).toString('base64');
    const settings = { document: { checkout: { gateway: 'sandbox', note: 'x'.repeat(410_000) } }, formers: [], revision: 0 } as const;
    const stored = store.idempotency.storeWrite(accountId(), request, { status: 201, body });
    for (const write of [store.accounts.replaceSettingsWrite(accountId(), settings), stored])
      await expect(store.commit([write])).rejects.toMatchObject({ code: 'invalid_value' });
  });

  test.each(['', 'x'.repeat(1_025), '🍰'.repeat(257)])(
    'a key that the table cannot hold finds nothing, and is 400 in a write (%#)',
    async (id) => {
      const { store } = world;
      expect(await store.checkoutSessions.get(accountId(), id)).toBeUndefined();
      const session = { id, asked: [], expires_ms: 0, status: 'open' } as unknown as CheckoutSession;
      await expect(store.commit([store.checkoutSessions.createWrite(accountId(), session)])).rejects.toMatchObject({
        code: 'invalid_value',
      });
    },
  );
});
