import type { Clock } from '../core/clock.ts';
import { mayStillTakeMoney } from '../domain/checkout/rules.ts';
import { type Erasure, isWaiting } from '../table/erasures.ts';
import type { Store } from '../table/store.ts';

interface WaitingServices {
  readonly store: Pick<Store, 'checkoutSessions'>;
  readonly clock: Clock;
}

/**
 * Whether every payment for which a customer's erasure waits is still running. Then it would only search
 * the account again.
 */
export const stillWaits = async ({ store, clock }: WaitingServices, account: string, erasure: Erasure | undefined): Promise<boolean> => {
  if (!erasure || !isWaiting(erasure) || erasure.awaited.length !== erasure.held) return false;
  const sessions = await Promise.all(erasure.awaited.map((id) => store.checkoutSessions.get(account, id)));
  return sessions.every((session) => session !== undefined && mayStillTakeMoney(session.record, clock.now()));
};
