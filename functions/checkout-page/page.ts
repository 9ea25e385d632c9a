import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Account } from '../../shared/domain/account/record.ts';
import type { CheckoutSession, SessionIn } from '../../shared/domain/checkout/record.ts';
import { beginAsking, beginPayment, paymentKey, resumePayment, type SessionState, stateOf } from '../../shared/domain/checkout/rules.ts';
import type { Response } from '../../shared/http/responses.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { type Answers, type FieldErrors, readAnswers } from './form.ts';
import { brandOf, respond, seeOther } from './frame.ts';
import { assertOwnForm, formOf, PageRefusal, pageUrl } from './request.ts';
import { applyCharge } from './settle.ts';
import { sessionPage, type View } from './views.ts';
import { assertTrades, type CheckoutPageServices, claim, readVisit, type Visit } from './visit.ts';

/** One operation of the page. */
export type PageHandler = (services: CheckoutPageServices, event: APIGatewayProxyEventV2) => Promise<Response>;

const pageOf = (
  { random }: CheckoutPageServices,
  { account, ...view }: Omit<View, 'brand' | 'region'> & { readonly account: Account },
  state: SessionState,
) => respond(random, sessionPage({ ...view, region: account.region, brand: brandOf(account.name, view.settings) }, state));

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
  const [gateway, order] = await Promise.all([
    visit.openGateway(),
    session.order_id === null ? undefined : services.store.orders.get(session.account, session.order_id),
  ]);
  return pageOf(services, { ...visit, session, gateway, order: order?.record.deleted_at === null ? order.record : undefined }, state);
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

const isAnswers = (read: Answers | FieldErrors): read is Answers => 'method' in read;

const chargeAndApply = async (
  services: CheckoutPageServices,
  event: APIGatewayProxyEventV2,
  visit: Visit,
  gateway: PaymentGateway,
  claimed: SessionIn<'processing'>,
) => {
  const { account } = visit;
  const { payment } = claimed;
  if (payment.gateway !== gateway.name || payment.keys !== gateway.keys)
    throw new PageRefusal(503, 'This shop has changed how it takes payments. Please ask the shop.');
  const page = pageUrl(event, claimed);
  const urls = { done: `${page}/return`, cancelled: page };
  const charge = await gateway.charge(claimed, payment.method, paymentKey(claimed), urls);
  return onwards(event, await applyCharge(services, account, claimed, charge));
};

/**
 * POST: makes one payment at a time. If the session is open, it leases and charges the session. If
 * a process died during a payment, it takes over with the same payment key, so the charge is not
 * repeated. In any other state, it shows the session unchanged.
 */
export const pay: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  const nowMs = services.clock.now();
  const state = stateOf(session, nowMs);
  assertTrades(visit, state);
  const form = formOf(event);
  assertOwnForm(event, form, session);
  if (session.status === 'processing' && state === 'interrupted') {
    const begunAt = await visit.openGateway();
    const resumed = await claim(services, visit, resumePayment(session, nowMs));
    return resumed ? chargeAndApply(services, event, visit, begunAt, resumed) : seeOther(pageUrl(event, session));
  }
  if (state === 'paid') return onwards(event, session);
  if (session.status !== 'open' || state !== 'open') return seeOther(pageUrl(event, session));
  const gateway = await visit.openGateway();
  const answers = readAnswers({ form, session, gateway, region: visit.account.region });
  if (!isAnswers(answers)) return pageOf(services, { ...visit, session, gateway, sent: { form, errors: answers } }, state);
  const claimed = await claim(services, visit, beginPayment(session, { ...answers, gateway: gateway.name, keys: gateway.keys }, nowMs));
  return claimed ? chargeAndApply(services, event, visit, gateway, claimed) : seeOther(pageUrl(event, session));
};
