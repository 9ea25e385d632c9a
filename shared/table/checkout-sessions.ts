import { type CheckoutSession, sessionGoneSeconds } from '../domain/checkout/record.ts';
import type { Db } from './client.ts';
import { openRecords, type Records } from './records.ts';

/** Read by id only; kept for a while after they expire, because a gateway may report late that one was paid. */
export const openCheckoutSessions = (db: Db): Records<CheckoutSession> =>
  openRecords<CheckoutSession>(db, { kind: 'checkoutSession', name: 'checkout session', entries: () => ({}), expires: sessionGoneSeconds });
