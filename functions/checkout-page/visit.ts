import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { Settings } from '../../shared/domain/account/settings.ts';
import type { CheckoutSession, SessionPayment } from '../../shared/domain/checkout/record.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import type { Stored } from '../../shared/table/records.ts';
import { PageRefusal, pathId } from './request.ts';
import type { CheckoutPageServices } from './services.ts';

export interface Visit {
  readonly account: Account;
  readonly settings: Settings;
  readonly stored: Stored<CheckoutSession>;
  /** Where the session's payment was begun; where there is none, where one would be begun now. */
  openGateway(): Promise<PaymentGateway>;
}

const absent = (): PageRefusal => new PageRefusal(404, 'There is no such checkout. Please start again in the shop.');

/** A merchant's account, and the gateways it has and had; 404 where there is none. */
export const openShop = async ({ store, openGateway }: CheckoutPageServices, id: string) => {
  const [account, { document: settings, formers }] = await Promise.all([store.accounts.get(id), store.accounts.getStoredSettings(id)]);
  if (!account) throw absent();
  return {
    account,
    settings,
    openGateway: (payment?: Pick<SessionPayment, 'gateway' | 'keys'>) =>
      openGateway({ account: id, checkout: settings.checkout, formers }, payment),
  };
};

/** What the path of a page names, in one round trip. */
export const readVisit = async (services: CheckoutPageServices, event: APIGatewayProxyEventV2): Promise<Visit> => {
  const account = pathId(event, 'account');
  const session = pathId(event, 'session');
  const [shop, stored] = await Promise.all([openShop(services, account), services.store.checkoutSessions.get(account, session)]);
  if (!stored) throw absent();
  return { ...shop, stored, openGateway: () => shop.openGateway(stored.record.payment ?? undefined) };
};

/** A closed account sells nothing any more; what was paid before still becomes an order. */
export const assertTrades = ({ account }: Visit): void => {
  if (account.status === 'closed') throw absent();
};
