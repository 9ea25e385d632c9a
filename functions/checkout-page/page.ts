import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import type { SessionState } from '../../shared/domain/checkout/rules.ts';
import { respond, seeOther } from './frame.ts';
import { pageUrl } from './request.ts';
import type { CheckoutPageServices } from './services.ts';
import { sessionPage, type View } from './views.ts';

/** One operation of the page. */
export type PageHandler = (services: CheckoutPageServices, event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

export const pageOf = (
  { random }: CheckoutPageServices,
  { account, ...view }: Omit<View, 'shop'> & { readonly account: Account },
  state: SessionState,
) => respond(random, sessionPage({ ...view, shop: account.name }, state));

/** Where the browser goes after a payment: the shop once it is made, else the page, which tells how it stands. */
export const onwards = (event: APIGatewayProxyEventV2, session: CheckoutSession) => {
  if (session.status === 'paid') return seeOther(session.success_url);
  return seeOther((session.status === 'pending' && session.payment.redirect_url) || pageUrl(event, session));
};
