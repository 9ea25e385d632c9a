import { changedMeanwhile } from '../core/errors.ts';
import { isoFromMs } from '../core/time.ts';
import type { PersonalPart } from '../domain/erased-fields.ts';
import type { Person } from '../domain/person.ts';
import type { Db, Item } from './client.ts';
import { exists, expr } from './expressions.ts';
import { expiryOf, indexEntry, nowSeconds, ownerOf, partition, readUnexpired } from './keys.ts';
import { queryPage } from './page.ts';
import { dueIndex, indexKeys } from './schema.ts';
import { putItem, sendAlone, updateItem } from './write.ts';

/** Start of the next page of a kind. */
export interface ErasurePosition {
  /** Endpoint of the partition. Empty if all records of the kind are in one partition. */
  readonly part: string;
  /** Sort key of the last record that is done; absent if the partition has not begun. */
  readonly after?: string;
}

/** Progress of a customer's erasure. A finished erasure no longer holds the person's data. */
export interface Erasure {
  readonly person: Person | null;
  readonly erased_at: string;
  /** Index of the kind of record that is being erased. */
  readonly stage: number;
  /** Null if the kind has not begun. */
  readonly position: ErasurePosition | null;
  /** Number of records changed so far, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /**
   * Sessions of the person that this pass left, because their payment may still take money. With any,
   * the erasure begins again after its last stage.
   */
  readonly held: number;
  /** Ids of these sessions, up to 100. */
  readonly awaited: readonly string[];
  /** Other customers with the person's phone, up to 100. They are not erased. */
  readonly same_contact?: readonly string[];
}

/** Whether the next step is the first of a pass. */
export const isStart = ({ stage, position }: Erasure): boolean => stage === 0 && !position;
/** Whether a pass has ended, and waits for payments. */
export const isWaiting = (erasure: Erasure): boolean => erasure.person !== null && isStart(erasure) && erasure.held > 0;

/** What erasures have removed of an order, and the latest time of a version that may have it. */
interface ErasedOrder extends PersonalPart {
  readonly at: string;
}

/** An erasure that has begun and not ended: of the customer, or else of the account. */
export interface DueErasure {
  readonly account: string;
  readonly customer?: string;
}

/**
 * Milliseconds without progress after which the sweep continues an erasure: it waits for a payment, or
 * its function died.
 */
const continueAfterMs = 15 * 60_000;
const maxDue = 100;
const duePartition = partition('due', 'erasures');
const { pk: duePk, sk: dueSk } = indexKeys(dueIndex);

/** Sort key of an account's erasure. No customer id has this form, and none has a space. */
const accountSortKey = '*';
const orderSortKey = (order: string): string => `order ${order}`;
const waitSortKey = (customer: string, session: string): string => `waits ${customer} ${session}`;

const key = (account: string, sk: string) => ({ pk: partition('erasure', account), sk });

/** Whether the item records the erasure of a whole account. */
export const isAccountErasure = (item: Item): boolean => item['sk'] === accountSortKey;

/** Returns the customer if an erasure has begun and not ended. */
export const runningErasure = (item: Item): string | undefined =>
  (item['erasure'] as Erasure | undefined)?.person ? String(item['sk']) : undefined;

export const openErasures = (db: Db) => {
  const expiry = () => ({ expires_at: expiryOf('erasure', db.clock.now()) });
  const dueAttributes = () => ({ ...indexEntry(dueIndex, duePartition, isoFromMs(db.clock.now() + continueAfterMs)), ...expiry() });
  const isRunning = expr`attribute_exists(erasure.person.id)`;
  return {
    async get(account: string, customer: string) {
      const stored = (await readUnexpired(db, key(account, customer)))?.['erasure'] as Erasure | undefined;
      // An earlier version stored the number of sessions without their ids.
      return stored && { ...stored, awaited: stored.awaited ?? [] };
    },
    /** Begins an erasure, also after an earlier one has ended. Fails as stale if one is running. */
    beginWrite: (account: string, customer: string, erasure: Erasure) =>
      putItem(
        db,
        { ...key(account, customer), erasure, ...dueAttributes() },
        {
          where: expr`attribute_not_exists(pk) OR expires_at <= ${nowSeconds(db.clock.now())} OR attribute_type(erasure.person, ${'NULL'})`,
          rejectWith: () => changedMeanwhile('The erasure'),
        },
      ),
    /**
     * Stores the progress of an erasure. If the erasure has ended, stores nothing, because that would
     * bring the person's data back.
     */
    async proceed(account: string, customer: string, erasure: Erasure) {
      const change = erasure.person ? { set: { erasure, ...dueAttributes() } } : { set: { erasure, ...expiry() }, remove: [duePk, dueSk] };
      await sendAlone(db, updateItem(db, key(account, customer), { ...change, where: isRunning }));
    },
    /** Makes an unfinished erasure due again later, without progress. */
    async postpone(account: string, customer: string) {
      await sendAlone(db, updateItem(db, key(account, customer), { set: dueAttributes(), where: isRunning }));
    },
    /**
     * Records that the account is erased, and which endpoints it had. If fan-out reads a change late,
     * it may still create delivery records for these endpoints.
     */
    accountWrite: (account: string, endpoints: readonly string[]) =>
      putItem(db, { ...key(account, accountSortKey), endpoints, ...dueAttributes() }),
    /** Stores whether the erasure of the account has ended. If not, the sweep continues it. */
    async proceedAccount(account: string, isErased: boolean) {
      const change = isErased ? { remove: [duePk, dueSk] } : { set: dueAttributes() };
      await sendAlone(db, updateItem(db, key(account, accountSortKey), { ...change, where: exists }));
    },
    /** Returns up to 100 erasures that the sweep should continue, the earliest first. */
    async due(byMs: number): Promise<readonly DueErasure[]> {
      const { Items = [] } = await queryPage(db, {
        index: dueIndex,
        partition: duePartition,
        range: (sk) => expr`${sk} < ${isoFromMs(byMs)}`,
        Limit: maxDue,
      });
      return Items.map(({ pk, sk }) => ({ account: ownerOf(String(pk)), ...(sk !== accountSortKey && { customer: String(sk) }) }));
    },
    /** Returns the endpoints of an erased account; none if the account is not erased. */
    endpointsOf: async (account: string) => ((await db.get(key(account, accountSortKey)))?.['endpoints'] ?? []) as readonly string[],
    /** Records what an erasure removes of an order, in the commit that removes it. */
    erasedOrderWrite: (account: string, order: string, { details, phone, at }: ErasedOrder) =>
      putItem(db, { ...key(account, orderSortKey(order)), part: { details, phone, at }, ...expiry() }),
    /** Returns what erasures have removed of an order. Reads consistently. */
    erasedPartOf: async (account: string, order: string) =>
      (await db.get(key(account, orderSortKey(order))))?.['part'] as ErasedOrder | undefined,
    /**
     * Records that an erasure of the customer found the session waiting for its payment, for as long as
     * the session is kept.
     */
    async noteWaiting(account: string, customer: string, session: string, goneSeconds: number) {
      const expires_at = Math.max(expiry().expires_at, goneSeconds);
      await sendAlone(db, putItem(db, { ...key(account, waitSortKey(customer, session)), expires_at }));
    },
    hasWaited: async (account: string, customer: string, session: string) =>
      (await db.get(key(account, waitSortKey(customer, session)))) !== undefined,
    /**
     * Returns what of an event was erased: its account, its customer, a person's part of its order, or
     * nothing. Reads consistently.
     */
    async extent(account: string, customer: string | undefined, order: string | undefined) {
      const [accountErasure, customerErasure, part] = await Promise.all([
        db.get(key(account, accountSortKey)),
        customer === undefined ? undefined : db.get(key(account, customer)),
        order === undefined ? undefined : db.get(key(account, orderSortKey(order))),
      ]);
      if (accountErasure) return 'account';
      return customerErasure ? 'customer' : (part?.['part'] as ErasedOrder | undefined);
    },
  };
};

export type Erasures = ReturnType<typeof openErasures>;
