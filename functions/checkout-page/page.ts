import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession } from '../../shared/domain/checkout/record.ts';
import { beginAsking, type SessionState, stateOf } from '../../shared/domain/checkout/rules.ts';
import type { Response } from '../../shared/http/responses.ts';
import { brandOf, respond, seeOther } from './frame.ts';
import type { CheckoutPageServices } from './gateway.ts';
import { pageUrl } from './request.ts';
import { applyCharge } from './settle.ts';
import { sessionPage, type View } from './views.ts';
import { assertTrades, claim, readVisit } from './visit.ts';

/** One operation of the page. */
export type PageHandler = (services: CheckoutPageServices, event: APIGatewayProxyEventV2) => Promise<Response>;

export const pageOf = (
  { random }: CheckoutPageServices,
  { account, ...view }: Omit<View, 'brand'> & { readonly account: Account },
  state: SessionState,
) => respond(random, sessionPage({ ...view, brand: brandOf(account.name, view.settings) }, state));

/**
 * Redirects the browser after a payment. If the session is paid, the target is the shop; otherwise
 * it is the page, which shows the state.
 */
export const onwards = (event: APIGatewayProxyEventV2, session: CheckoutSession) => {
  if (session.status === 'paid') return seeOther(session.success_url);
  return seeOther((session.status === 'pending' && session.payment.redirect_url) || pageUrl(event, session));
};

/** GET: shows the page in the current state of the session. Changes nothing. */
export const showPage: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  const state = stateOf(session, services.clock.now());
  assertTrades(visit, state);
  return pageOf(services, { ...visit, session, gateway: await visit.openGateway() }, state);
};

/**
 * GET: the shopper returns from the gateway's page. This function asks the gateway for the result,
 * because the gateway's notice may come later. All functions together ask about a session at most
 * once in 5 seconds. A visit in between gets a page that reloads itself.
 */
export const comeBack: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  if (session.status !== 'pending') return session.status === 'paid' ? onwards(event, session) : seeOther(pageUrl(event, session));
  const gateway = await visit.openGateway();
  const asking = beginAsking(session, services.clock.now());
  const claimed = asking && (await claim(services, visit, asking));
  if (!claimed) return pageOf(services, { ...visit, session, gateway }, 'processing');
  const charge = await gateway.check(claimed);
  const now = charge ? await applyCharge(services, visit.account, claimed, charge) : claimed;
  return now.status === 'paid' ? onwards(event, now) : seeOther(pageUrl(event, now));
};
