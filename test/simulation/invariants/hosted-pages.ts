import type { CheckoutSession } from '../../../shared/domain/checkout/record.ts';
import type { Payment } from '../../../shared/domain/payment/fields.ts';
import { type HostedSession, paymentOf } from '../../stripe/books.ts';
import { recordsOf } from './history.ts';
import type { Evidence, Invariant } from './invariant.ts';

/** Stripe's shortest life of a page, and the time that a request may take to Stripe. */
const shortestLifeMs = 30 * 60_000;
const underWayMs = 60_000;

const pageFindings = ({ region }: Evidence, session: CheckoutSession): readonly string[] => {
  const pages = [...region.page.stripe.books.sessions.values()].filter(({ client_reference_id }) => client_reference_id === session.id);
  const isOpenAt = ({ openedMs, closedMs }: HostedSession, atMs: number) => openedMs <= atMs && atMs < closedMs;
  return pages.flatMap((page, i) => [
    ...pages
      .slice(0, i)
      .filter((other) => isOpenAt(other, page.openedMs))
      .map((other) => `${page.id} opened for ${session.id} while ${other.id} could be paid.`),
    ...(page.expires_at * 1_000 > session.expires_ms + shortestLifeMs + underWayMs
      ? [`${page.id} takes money for ${session.id} longer than half an hour after its end.`]
      : []),
  ]);
};

/** Returns money that was taken and is in no record and no alarm (decisions §7). */
const lostMoney = (evidence: Evidence, account: string): readonly string[] => {
  const recorded = new Set(recordsOf<Payment>(evidence, 'payment', account).map(({ gateway }) => gateway?.transaction_id));
  const alarms = new Set(evidence.region.log.flatMap(({ without_order, transaction }) => (without_order === true ? [transaction] : [])));
  return evidence.region.page.stripe
    .paidTo(account)
    .map(paymentOf)
    .filter((id) => !recorded.has(id) && !alarms.has(id))
    .map((id) => `Stripe took the money of ${id}, which has neither a record nor an alarm.`);
};

export const onePage: Invariant = {
  number: 10,
  name: 'a session has at most one page that takes money at a time, and all money that was taken has a record or an alarm',
  only: ['shop'],
  breaches: (evidence) =>
    evidence.accounts.flatMap((account) => [
      ...recordsOf<CheckoutSession>(evidence, 'checkoutSession', account).flatMap((session) => pageFindings(evidence, session)),
      ...lostMoney(evidence, account),
    ]),
};
