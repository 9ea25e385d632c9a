import type { Item } from '../../../local/engine/commands/values.ts';
import type { Customer } from '../../../shared/domain/customer/fields.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { recordIn } from '../reading/records.ts';
import { changesOf } from './history.ts';
import { type Evidence, type Invariant, oncePer } from './invariant.ts';

/**
 * Returns the form in which emails of one customer are equal: NFC, lower case, and NFC again
 * (decisions §3). It does not use the product's function, so that it also judges that function.
 */
export const addressOf = (email: string): string => email.normalize('NFC').toLowerCase().normalize('NFC');

/** The most time from a read to the write that it decides, with calls that arrive late. */
const longestDecisionMs = 75_000;
/** The most that a list lags behind the table. */
const listLagMs = 2_500;

/** A time in which a customer has an address. */
interface Holding {
  readonly customer: string;
  readonly fromMs: number;
  untilMs: number;
}

const emailIn = (image: Item | undefined): string | null => (image ? recordIn<Customer>(image).email : null);

/** Returns who had each address of an account, and when, by the history of the customers. */
export const holdingsOf = oncePer((evidence) => {
  const known = new Map<string, Holding[]>();
  for (const { key, before, after, atMs } of evidence.region.engine.table('simulated').changes) {
    const [kind, account] = String(key['pk']).split('#');
    if (kind !== 'cus') continue;
    const customer = String(key['sk']);
    const [was, is] = [before, after].map((image) => {
      const email = emailIn(image);
      return email === null ? undefined : `${account}/${addressOf(email)}`;
    });
    if (was === is) continue;
    const last = was === undefined ? undefined : known.get(was)?.findLast((one) => one.customer === customer);
    if (last) last.untilMs = atMs;
    if (is !== undefined) known.set(is, [...(known.get(is) ?? []), { customer, fromMs: atMs, untilMs: Number.POSITIVE_INFINITY }]);
  }
  return known;
});

/** Returns the times in which customers had the address, as far as they overlap with these. */
const holdersDuring = (evidence: Pick<Evidence, 'region'>, account: string, email: string, [fromMs, toMs]: readonly [number, number]) =>
  (holdingsOf(evidence).get(`${account}/${addressOf(email)}`) ?? []).filter((one) => one.fromMs <= toMs && one.untilMs >= fromMs);

const shared = (evidence: Evidence): readonly string[] =>
  [...holdingsOf(evidence)].flatMap(([address, holdings]) =>
    holdings.flatMap(({ customer, fromMs, untilMs }) =>
      holdings
        .filter((other) => other.customer !== customer && other.fromMs >= fromMs && other.fromMs < untilMs)
        .map((other) => `${other.customer} has ${address}, and ${customer} has it as well.`),
    ),
  );

/** Returns new orders of a customer who did not have the order's email around that time. */
const misassigned = (evidence: Evidence): readonly string[] =>
  evidence.accounts.flatMap((account) =>
    changesOf(evidence, 'order', account).flatMap(({ before, after, atMs }) => {
      if (before || !after) return [];
      const { id, customer_id, customer_email } = recordIn<Order>(after);
      if (customer_email === null) return [];
      const holders = holdersDuring(evidence, account, customer_email, [atMs - longestDecisionMs, atMs]).map(({ customer }) => customer);
      // An order with the id of a customer may give no details; then the email is the customer's.
      return customer_id !== null && holders.includes(customer_id)
        ? []
        : [`${id} of ${customer_email} is an order of ${customer_id}, and the email was of ${holders.join(', ') || 'nobody'}.`];
    }),
  );

/** Returns rejections of an email that no other customer had during the call. */
const rejectedThoughFree = (evidence: Evidence): readonly string[] =>
  evidence.journal.emails.flatMap(({ account, customer, email, begunMs, endedMs, outcome }) => {
    if (outcome !== 'taken') return [];
    const others = holdersDuring(evidence, account, email, [begunMs, endedMs]).filter((one) => one.customer !== customer);
    return others.length > 0 ? [] : [`${customer ?? 'A new customer'} could not get ${email}, which nobody had.`];
  });

/** Returns searches by email that showed another customer than the one who had the email all the while. */
const notFound = (evidence: Evidence): readonly string[] =>
  evidence.journal.emails.flatMap(({ account, email, begunMs, endedMs, outcome, found }) => {
    if (outcome !== 'searched') return [];
    const holders = holdersDuring(evidence, account, email, [begunMs - listLagMs, endedMs]);
    const [steady] = holders.filter(({ fromMs, untilMs }) => fromMs < begunMs - listLagMs && untilMs > endedMs);
    const shown = found?.join(', ') || 'nobody';
    const strangers = found?.filter((id) => !holders.some(({ customer }) => customer === id)) ?? [];
    const isRight = strangers.length === 0 && (!steady || found?.includes(steady.customer));
    return isRight ? [] : [`A search for ${email} showed ${shown}, and ${steady?.customer ?? 'nobody'} had it.`];
  });

export const oneEmail: Invariant = {
  number: 16,
  name: 'no two customers of an account ever have one email in any spelling; a free one can be taken, and the orders of one are of its customer',
  breaches: (evidence) => [...shared(evidence), ...misassigned(evidence), ...rejectedThoughFree(evidence), ...notFound(evidence)],
};
