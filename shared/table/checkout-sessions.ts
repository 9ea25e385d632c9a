import { type CheckoutSession, sessionGoneSeconds } from '../domain/checkout/record.ts';
import { largestSession } from '../domain/checkout/rules.ts';
import type { Db } from './client.ts';
import { encode } from './encodings.ts';
import { openUncheckedRecords } from './records.ts';
import { assertRecordFits } from './size.ts';

const spec = { kind: 'checkoutSession', name: 'checkout session' } as const;

/**
 * A session is measured once, when it is created: at the largest size that later steps may give it.
 * So no step fails after the shopper has paid.
 */
export const openCheckoutSessions = (db: Db) => {
  const attributes = (_account: string, session: CheckoutSession) => ({ expires_at: sessionGoneSeconds(session) });
  const records = openUncheckedRecords<CheckoutSession>(db, { ...spec, attributes });
  return {
    ...records,
    /** Returns the write of a new session. Throws 400 if it may not fit later. */
    createWrite(account: string, session: CheckoutSession) {
      assertRecordFits(spec.name, encode(spec.kind, largestSession(session)));
      return records.createWrite(account, session);
    },
  };
};
