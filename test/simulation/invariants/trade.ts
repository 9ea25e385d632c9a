import type { Account } from '../../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Order } from '../../../shared/domain/order/fields.ts';
import { recordIn } from '../reading/records.ts';
import { changesOf, valuesDuring } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** The most time from the start of a request to its last write, with calls that arrive late. */
const longestRequestMs = 45_000;

type Status = Account['status'];
const unserved: readonly Status[] = ['suspended', 'closed'];

/** Whether the account had one of the statuses during the whole request that wrote at this time. */
const wasAlways = (evidence: Evidence, account: string, atMs: number, statuses: readonly Status[]): boolean =>
  valuesDuring(evidence, account, 'status', [atMs - longestRequestMs, atMs]).every((status) => statuses.includes(status));

const takenOrders = (evidence: Evidence, account: string): readonly string[] =>
  changesOf(evidence, 'order', account).flatMap(({ before, after, atMs }) => {
    if (before || !after) return [];
    const { id, source } = recordIn<Order>(after);
    return source === 'api' && wasAlways(evidence, account, atMs, unserved) ? [`${id} was ordered, and ${account} was not served.`] : [];
  });

/** Returns sessions that began, and payments of sessions that began, although the account did not trade. */
const takenSessions = (evidence: Evidence, account: string): readonly string[] =>
  changesOf(evidence, 'checkoutSession', account).flatMap(({ before, after, atMs }) => {
    if (!after) return [];
    const { id, status } = recordIn<CheckoutSession>(after);
    const was = before && recordIn<CheckoutSession>(before).status;
    if (!was) return wasAlways(evidence, account, atMs, unserved) ? [`${id} was opened, and ${account} was not served.`] : [];
    // The status of an account is for the API; a shopper may pay at a suspended account (decisions §4).
    const begins = was === 'open' && status === 'processing';
    return begins && wasAlways(evidence, account, atMs, ['closed']) ? [`A payment of ${id} began, and ${account} was closed.`] : [];
  });

export const tradesOnly: Invariant = {
  number: 14,
  name: 'a suspended or closed account gets no order and no session, and a closed one begins no payment',
  breaches: (evidence) => evidence.accounts.flatMap((account) => [...takenOrders(evidence, account), ...takenSessions(evidence, account)]),
};
