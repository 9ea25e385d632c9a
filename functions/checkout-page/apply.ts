import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { afterCharge, type Charge } from '../../shared/domain/checkout/rules.ts';
import { RevisionConflict } from '../../shared/table/records.ts';
import type { CheckoutPageServices } from './services.ts';
import { settle } from './settle.ts';

const maxRounds = 5;

/** Writes down what became of the payment of the session's n-th try; news of another try are dropped unless money was taken. */
export const applyCharge = async (
  services: CheckoutPageServices,
  account: Account,
  { id, tries }: Pick<CheckoutSession, 'id' | 'tries'>,
  charge: Charge,
): Promise<CheckoutSession> => {
  const { store, clock } = services;
  if (charge.kind === 'approved') return settle(services, account, id, charge);
  for (let round = 1; ; round++) {
    const stored = await store.checkoutSessions.get(account.id, id);
    if (!stored) throw new Error('A payment for a session that does not exist.');
    const next = stored.record.tries === tries ? afterCharge(stored.record, charge, clock.now()) : undefined;
    if (!next) return stored.record;
    try {
      await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored.revision)]);
      return next;
    } catch (error) {
      if (!(error instanceof RevisionConflict) || round === maxRounds) throw error;
    }
  }
};
