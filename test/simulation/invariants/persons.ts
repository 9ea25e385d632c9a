import type { Item } from '../../../local/engine/commands/values.ts';
import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Customer } from '../../../shared/domain/customer/fields.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import type { Change, ErasureAction } from '../people/journal.ts';
import { markersIn } from '../people/person-data.ts';
import { isByHand } from '../reading/expected-events.ts';
import { recordIn } from '../reading/records.ts';
import { addressOf } from './emails.ts';
import { type Evidence, oncePer, textOf } from './invariant.ts';

/** Clocks differ by up to a second, and a record's time is the one of its request. */
const clockMs = 2_500;

/** An erasure of a customer, with the email that the customer had until then. */
interface Erased extends ErasureAction {
  readonly address: string | undefined;
  /** The phone that the customer had until then. */
  readonly phone: string | undefined;
  /** When it began; earlier than it was asked for if the erasure of the same person began it. */
  readonly sinceMs: number;
}

/** A version of a record that describes a person. */
interface Version {
  readonly account: string;
  readonly id: string;
  readonly atMs: number;
  readonly text: string;
  readonly customer: string | null | undefined;
  readonly email: string | null | undefined;
  /** The record with the same person as this record: a payment's order, an order's session. */
  readonly of: string | null | undefined;
  /** Only on a session: the shopper's phone, which has one spelling here. */
  readonly phone?: string | null | undefined;
  /** Only on an order: the phone that it was made with. */
  readonly orderPhone?: string | null | undefined;
  /** Only on a session: whether its payment had begun and was not settled. */
  readonly waits?: boolean;
  /** Only on an order of a session: whether its customer had the email before. */
  readonly isAnothers?: boolean;
}

/** Returns what a version of a record says about its person; undefined for other kinds. */
const versionOf = (key: Item, item: Item, atMs: number): Version | undefined => {
  const [kind, account = ''] = String(key['pk']).split('#');
  const id = String(key['sk']);
  const read = <Record>() => recordIn<Record>(item);
  const version = { account, id, atMs, text: textOf(item) };
  if (kind === 'cus') return { ...version, customer: id, email: read<Customer>().email, of: undefined };
  // An item that an operator wrote by hand has no record.
  if (isByHand(key)) return undefined;
  if (kind === 'ord') {
    const { customer_id, customer_email, customer_phone: orderPhone, metadata } = read<Order>();
    return { ...version, customer: customer_id, email: customer_email, orderPhone, of: metadata['checkout_session'] };
  }
  if (kind === 'pay' && item['view']) {
    const { customer_id, order_id } = read<Payment>();
    return { ...version, customer: customer_id, email: undefined, of: order_id };
  }
  if (kind === 'chk') {
    const { customer, status } = read<CheckoutSession>();
    const waits = status === 'processing' || status === 'pending';
    return { ...version, customer: undefined, email: customer?.email, phone: customer?.phone, of: undefined, waits };
  }
  return undefined;
};

const versionsOf = ({ region }: Evidence): readonly Version[] => {
  const versions = region.engine.table('simulated').changes.flatMap(({ key, after, atMs }) => (after && versionOf(key, after, atMs)) ?? []);
  const births = new Map(versions.toReversed().map(({ id, atMs }) => [id, atMs]));
  // A paid session creates a customer if no one has the email, in the transaction of its order. If
  // another customer has it by then, the order is that customer's, and the erased person's only if the
  // session waited for its payment during the erasure (decisions §7).
  const isMade = ({ id, customer }: Version) => typeof customer === 'string' && births.get(customer) === births.get(id);
  const orders = versions.filter(({ id, of }) => id.startsWith('ord_') && of);
  const sessions = new Map(orders.filter(isMade).map(({ customer, of }) => [customer, of]));
  return versions.map((version) => {
    if (version.id.startsWith('cus_')) return { ...version, of: sessions.get(version.id) };
    const isAnothers = version.id.startsWith('ord_') && typeof version.customer === 'string' && !isMade(version);
    return { ...version, isAnothers };
  });
};

/** Returns the erasures of customers, with the email that each had until then. */
const erasedOf = ({ journal, region }: Evidence): readonly Erased[] => {
  const addresses = new Map<string, string>();
  const phones = new Map<string, string>();
  const times = new Map<string, number>();
  for (const { key, before, after, atMs } of region.engine.table('simulated').changes) {
    if (!before || !after || !String(key['pk']).startsWith('cus#')) continue;
    const [was, is] = [before, after].map((image) => recordIn<Customer>(image));
    if (!was || was.erased_at !== undefined || is?.erased_at === undefined) continue;
    times.set(was.id, atMs);
    if (was.phone) phones.set(was.id, was.phone);
    if (was.email) addresses.set(was.id, addressOf(was.email));
  }
  return journal.erasures.flatMap((action) => {
    const { customer, begunMs } = action;
    if (customer === undefined) return [];
    return [
      {
        ...action,
        address: addresses.get(customer),
        phone: phones.get(customer),
        sinceMs: Math.min(begunMs, times.get(customer) ?? begunMs),
      },
    ];
  });
};

/**
 * Whether a version is of the erased customer, or has the customer's email or, in a session, phone
 * (decisions §7). Two accounts may know one person, and each erases only its own data.
 */
const isTheirs = (version: Version, { account, customer: erased, address, phone }: Erased): boolean => {
  const { id, customer, email } = version;
  if (customer === erased) return true;
  if (id.startsWith('cus_') || version.account !== account) return false;
  return (Boolean(email) && addressOf(email ?? '') === address) || (phone !== undefined && version.phone === phone);
};

/**
 * The erasures that concern records by their own data, and those that concern the record that each
 * belongs to.
 */
class Removals {
  /** When each record was first stored. */
  readonly births = new Map<string, number>();
  readonly #direct = new Map<string, Set<Erased>>();
  readonly #parents = new Map<string, string>();
  /** Versions of each session, and orders whose customer had the email before. */
  readonly #sessions = new Map<string, Version[]>();
  readonly #ofAnother = new Set<string>();
  /** The email that each customer was created with. */
  readonly #firstEmails = new Map<string, string | null | undefined>();

  constructor(versions: readonly Version[], own: (version: Version, bornMs: number) => readonly Erased[]) {
    for (const version of versions) {
      const { id, of, atMs, email } = version;
      if (!this.births.has(id)) {
        this.births.set(id, atMs);
        this.#firstEmails.set(id, email);
      }
      if (of) this.#parents.set(id, of);
      if (version.isAnothers) this.#ofAnother.add(id);
      if (id.startsWith('cs_')) this.#sessions.set(id, [...(this.#sessions.get(id) ?? []), version]);
      for (const one of own(version, this.births.get(id) ?? atMs)) this.#direct.set(id, (this.#direct.get(id) ?? new Set()).add(one));
    }
  }

  /** Whether a session waited for its payment when the erasure began. */
  #waited(session: string, { sinceMs }: Erased): boolean {
    return this.#sessions.get(session)?.findLast(({ atMs }) => atMs <= sinceMs)?.waits === true;
  }

  /**
   * Whether the erased person is the customer that a session created: the erasure was under way, and the
   * customer has no other email. Another customer with the person's phone stays, and the erasure names
   * it (decisions §7).
   */
  #isSamePerson(customer: string, { sinceMs, address }: Erased): boolean {
    const email = this.#firstEmails.get(customer);
    return sinceMs <= (this.births.get(customer) ?? 0) + clockMs && (!email || addressOf(email) === address);
  }

  /** Returns the erasures of the record that this one belongs to. */
  inherited(id: string): readonly Erased[] {
    const parent = this.#parents.get(id);
    const theirs = parent === undefined ? [] : this.of(parent);
    if (this.#ofAnother.has(id)) return theirs.filter((one) => this.#waited(parent ?? '', one));
    return id.startsWith('cus_') ? theirs.filter((one) => this.#isSamePerson(id, one)) : theirs;
  }

  of(id: string): readonly Erased[] {
    return [...(this.#direct.get(id) ?? []), ...this.inherited(id)];
  }
}

/** Returns the customers of whom a phone was changed or removed. */
const customersWithFormerPhone = ({ region }: Evidence): ReadonlySet<string> =>
  new Set(
    region.engine.table('simulated').changes.flatMap(({ key, before, after }) => {
      if (!before || !after || !String(key['pk']).startsWith('cus#')) return [];
      const [was, is] = [before, after].map((image) => recordIn<Customer>(image));
      return was?.phone && was.phone !== is?.phone ? [was.id] : [];
    }),
  );

/**
 * Returns the erasures that may have removed a person from a record, at whatever time. An order keeps the
 * phone of an erased person only while the order's own customer has it (decisions §7).
 */
export const mayHaveErased = oncePer<(id: string) => readonly ErasureAction[], Evidence>((evidence) => {
  const erased = erasedOf(evidence);
  const moved = customersWithFormerPhone(evidence);
  const losesPhone = ({ account, orderPhone, customer }: Version, erasure: Erased): boolean =>
    Boolean(orderPhone) && orderPhone === erasure.phone && account === erasure.account && moved.has(customer ?? '');
  const removals = new Removals(versionsOf(evidence), (version) =>
    erased.filter((one) => isTheirs(version, one) || losesPhone(version, one)),
  );
  return (id) => removals.of(id);
});

/**
 * Returns the function from a version to the erasures that must remove its person: that of its
 * customer, that of the customer with its email if it was stored before, and those of the record that
 * it belongs to.
 */
const mustErase = (versions: readonly Version[], erased: readonly Erased[]): ((version: Version) => readonly Erased[]) => {
  const own = (version: Version, bornMs: number): readonly Erased[] =>
    erased.filter((one) => {
      // A shopper may type an email into an old session long after it was opened.
      const storedMs = version.id.startsWith('cs_') ? version.atMs : bornMs;
      return isTheirs(version, one) && (version.customer === one.customer || storedMs < one.sinceMs - clockMs);
    });
  const removals = new Removals(versions, own);
  // Only its own versions that say so: a session is empty before a shopper types into it.
  return (version) => [...own(version, removals.births.get(version.id) ?? version.atMs), ...removals.inherited(version.id)];
};

/** Whether the bakery wrote the text during or after the erasure. Such text is not erased. */
const rewritten = (changes: readonly Change[], marker: string, { begunMs }: ErasureAction): boolean =>
  changes.some(
    ({ subject, value, endedMs }) => /^(?:ord|pay)_/.test(subject) && endedMs >= begunMs && JSON.stringify(value)?.includes(marker),
  );

/** Returns the markers of erased persons only, and the time from which each must not appear. */
export const forbidden = (evidence: Evidence): ReadonlyMap<string, number> => {
  const { changes } = evidence.journal;
  const versions = versionsOf(evidence);
  const removals = mustErase(versions, erasedOf(evidence));
  /** For each marker, when it must be gone: the end of the last erasure that has to remove it. */
  const sinceMs = new Map<string, number>();
  for (const version of versions) {
    const markers = markersIn(version.text);
    if (markers.size === 0) continue;
    const done = removals(version).filter(({ doneMs }) => doneMs !== undefined);
    for (const marker of markers) {
      const effective = done.filter((action) => !rewritten(changes, marker, action)).map(({ doneMs }) => doneMs ?? 0);
      sinceMs.set(marker, Math.max(sinceMs.get(marker) ?? 0, effective.length > 0 ? Math.min(...effective) : Number.POSITIVE_INFINITY));
    }
  }
  return new Map([...sinceMs].filter(([, ms]) => ms < Number.POSITIVE_INFINITY));
};
