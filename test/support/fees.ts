import { gatewayFeeId } from '../../shared/domain/expense/rules.ts';
import type { World } from './world.ts';

export interface Fee {
  readonly order_id: string;
  readonly order_label: string;
  readonly gateway: string;
  readonly amount: number;
}

/**
 * Writes fees in USD directly to the store, one transaction each. A fee's id is its order's id if
 * absent.
 */
export const writeFees = async (
  { store, clock }: Pick<World, 'store' | 'clock'>,
  account: string,
  fees: readonly (Fee & { readonly transaction_id?: string })[],
  { day, at = new Date(clock.now()).toISOString() }: { readonly day: string; readonly at?: string },
): Promise<void> => {
  for (const fee of fees) {
    const stored = await store.expenses.get(account, gatewayFeeId(day));
    const line = { transaction_id: `txn_${fee.order_id}`, ...fee };
    await store.commit(store.gatewayFees.bookWrites(account, stored?.record, { line, day, currency: 'USD', at }));
  }
};
