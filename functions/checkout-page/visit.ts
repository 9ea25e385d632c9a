import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import { asItCounts } from '../../shared/domain/checkout/former-gateway.ts';
import type { CheckoutSession, SessionPayment } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { RevisionConflict, type Stored } from '../../shared/table/records.ts';
import { type CheckoutPageServices, openGateway } from './gateway.ts';
import { PageRefusal, pathId } from './request.ts';

export interface Visit {
  readonly account: Account;
  readonly settings: Settings;
  /**
   * The session. If its payment began at a sandbox that the account no longer uses and is
   * undecided, it counts as declined.
   */
  readonly stored: Stored<CheckoutSession>;
  /**
   * Opens the gateway at which the payment began. Without a payment, opens the current gateway of
   * the account.
   */
  openGateway(): Promise<PaymentGateway>;
}

const absent = (): PageRefusal => new PageRefusal(404, 'There is no such checkout. Please start again in the shop.');

/**
 * Returns the merchant's account with its current and former gateways. Throws 404 if the account
 * does not exist.
 */
export const openShop = async (services: CheckoutPageServices, id: string) => {
  const { accounts } = services.store;
  const [account, { document: settings, formers }] = await Promise.all([accounts.get(id), accounts.getStoredSettings(id)]);
  if (!account) throw absent();
  return {
    account,
    settings,
    openGateway: (payment?: Pick<SessionPayment, 'gateway' | 'keys'>) =>
      openGateway(services, { account: id, checkout: settings.checkout, formers }, payment),
  };
};

/** Reads the account and the session of the path in one round trip. */
export const readVisit = async (services: CheckoutPageServices, event: APIGatewayProxyEventV2): Promise<Visit> => {
  const account = pathId(event, 'account');
  const session = pathId(event, 'session');
  const [shop, stored] = await Promise.all([openShop(services, account), services.store.checkoutSessions.get(account, session)]);
  if (!stored) throw absent();
  const record = asItCounts(stored.record, shop.settings.checkout, services.clock.now());
  return { ...shop, stored: { ...stored, record }, openGateway: () => shop.openGateway(record.payment ?? undefined) };
};

/**
 * Stores the session with its new lease. Returns undefined if another request changed the session
 * first.
 */
export const claim = async <Leased extends CheckoutSession>(
  { store }: CheckoutPageServices,
  { account, stored }: Visit,
  next: Leased,
): Promise<Leased | undefined> => {
  try {
    await store.commit([store.checkoutSessions.replaceWrite(account.id, next, stored)]);
    return next;
  } catch (error) {
    if (error instanceof RevisionConflict) return undefined;
    throw error;
  }
};

/** States in which a payment has begun and may end, or has ended. */
const begun: readonly SessionState[] = ['processing', 'pending', 'paid'];

/**
 * Throws if the account is closed and no payment of the session runs, because a closed account cannot
 * sell. A payment that runs still becomes an order, and the shopper sees it.
 */
export const assertTrades = ({ account }: Visit, state: SessionState): void => {
  if (account.status === 'closed' && !begun.includes(state)) throw absent();
};
