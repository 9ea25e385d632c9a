import { isDeepStrictEqual } from 'node:util';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { CheckoutSession, SessionIn } from '../../shared/domain/checkout/record.ts';
import {
  beginPayment,
  isCorrectable,
  leaseForCheck,
  paymentKey,
  resumePayment,
  type SessionState,
  stateOf,
} from '../../shared/domain/checkout/rules.ts';
import type { Response } from '../../shared/http/responses.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { type FieldErrors, readSubmittedForm, type SubmittedForm } from './form.ts';
import { brandOf, respond, seeOther } from './frame.ts';
import { assertOwnForm, formOf, PageRejection, pageUrl } from './request.ts';
import { applyCharge } from './settle.ts';
import { type Receipt, sessionPage, type View } from './views.ts';
import { assertMaySell, type CheckoutPageServices, claimSession, readVisit, type Visit } from './visit.ts';

/** One operation of the page. */
export type PageHandler = (services: CheckoutPageServices, event: APIGatewayProxyEventV2) => Promise<Response>;

const respondWithPage = ({ random }: CheckoutPageServices, view: Omit<View, 'brand'>, state: SessionState) =>
  respond(random, view.locale, sessionPage({ ...view, brand: brandOf(view.account.name, view.settings) }, state));

/**
 * Redirects the browser after a payment. If the session is paid, the target is the shop; otherwise
 * it is the page, which shows the state.
 */
export const redirectAfterPayment = (event: APIGatewayProxyEventV2, session: CheckoutSession) => {
  if (session.status === 'paid') return seeOther(session.success_url);
  return seeOther((session.status === 'pending' && session.payment.redirect_url) || pageUrl(event, session));
};

/** Whether the shopper can correct the values of a payment that waits on the gateway's page. */
const mayCorrect = ({ account }: Visit, session: CheckoutSession, nowMs: number): session is SessionIn<'pending'> =>
  account.status !== 'closed' && isCorrectable(session, nowMs);

/** Opens the gateway of the next payment. Returns undefined if the shop cannot take one at the moment. */
const openNextGateway = async (visit: Visit): Promise<PaymentGateway | undefined> => {
  try {
    return await visit.openNextGateway();
  } catch (error) {
    if (error instanceof PageRejection) return undefined;
    throw error;
  }
};

/** Reads what the receipt shows of an order. Returns undefined if the order was deleted. */
const readReceipt = async ({ store }: CheckoutPageServices, account: string, id: string): Promise<Receipt | undefined> => {
  const [order, payments] = await Promise.all([store.orders.get(account, id), store.payments.ofOrder(account, id)]);
  if (order?.record.deleted_at !== null) return undefined;
  return { order: order.record, card: payments.find(({ source }) => source === 'checkout')?.method_details ?? null };
};

/** GET: shows the page in the current state of the session. Changes nothing. */
export const showPage: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  const state = stateOf(session, services.clock.now());
  assertMaySell(visit, state);
  const [next, receipt] = await Promise.all([
    mayCorrect(visit, session, services.clock.now()) ? openNextGateway(visit) : undefined,
    session.order_id === null ? undefined : readReceipt(services, session.account, session.order_id),
  ]);
  const gateway = next ?? (await visit.openGateway());
  return respondWithPage(services, { ...visit, session, gateway, receipt, isCorrectable: next !== undefined }, state);
};

/**
 * GET: the shopper returns from the gateway's page. This function asks the gateway for the result,
 * because the gateway's notice may come later. All functions together ask about a session at most
 * once in 5 seconds. A visit in between gets a page that reloads itself.
 */
export const comeBack: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  if (session.status !== 'pending')
    return session.status === 'paid' ? redirectAfterPayment(event, session) : seeOther(pageUrl(event, session));
  const gateway = await visit.openGateway();
  const leasedSession = leaseForCheck(session, services.clock.now());
  const claimed = leasedSession && (await claimSession(services, visit, leasedSession));
  if (!claimed) return respondWithPage(services, { ...visit, session, gateway }, 'processing');
  const charge = await gateway.check(claimed);
  const charged = charge ? await applyCharge(services, visit.account, claimed, charge) : claimed;
  return charged.status === 'paid' ? redirectAfterPayment(event, charged) : seeOther(pageUrl(event, charged));
};

const isSubmittedForm = (read: SubmittedForm | FieldErrors): read is SubmittedForm => 'method' in read;

const chargeAndApply = async (
  services: CheckoutPageServices,
  event: APIGatewayProxyEventV2,
  visit: Visit,
  gateway: PaymentGateway,
  claimed: SessionIn<'processing'>,
) => {
  const { account } = visit;
  const { payment } = claimed;
  if (payment.gateway !== gateway.name || payment.keys !== gateway.keys) throw new PageRejection(503, 'gatewayChanged');
  const page = pageUrl(event, claimed);
  const urls = { done: `${page}/return`, cancelled: page };
  const charge = await gateway.charge(claimed, payment.method, paymentKey(claimed), urls);
  return redirectAfterPayment(event, await applyCharge(services, account, claimed, charge));
};

/** Whether the form has the values with which the payment began. */
const isUnchanged = (
  { customer, delivery_address, payment }: SessionIn<'pending'>,
  submittedForm: SubmittedForm,
  gateway: PaymentGateway,
): boolean =>
  isDeepStrictEqual([customer, delivery_address], [submittedForm.customer, submittedForm.delivery_address]) &&
  payment.gateway === gateway.name &&
  payment.keys === gateway.keys;

/**
 * Corrects the values of a payment that waits on the gateway's page. The page ends first, so that one
 * payment can take money. If it was paid meanwhile, the shopper goes to the shop. Simultaneous calls
 * are safe without a lease: ending a page again changes nothing, and one of them begins the next payment.
 */
const correctPayment = async (
  services: CheckoutPageServices,
  event: APIGatewayProxyEventV2,
  visit: Visit,
  session: SessionIn<'pending'>,
): Promise<Response> => {
  const form = formOf(event);
  const next = await visit.openNextGateway();
  const submittedForm = readSubmittedForm({ form, session, gateway: next, region: visit.account.region, locale: visit.locale });
  if (!isSubmittedForm(submittedForm))
    return respondWithPage(
      services,
      { ...visit, session, gateway: next, isCorrectable: true, sent: { form, errors: submittedForm } },
      'pending',
    );
  if (isUnchanged(session, submittedForm, next)) return redirectAfterPayment(event, session);
  const gateway = await visit.openGateway();
  const charge = await gateway.endPage(session);
  // The gateway is taking the payment, so its page cannot end.
  if (!charge) return respondWithPage(services, { ...visit, session, gateway }, 'processing');
  const charged = await applyCharge(services, visit.account, session, charge);
  return charged.status === 'open' ? pay(services, event) : redirectAfterPayment(event, charged);
};

/**
 * POST: makes one payment at a time. If the session is open, it leases and charges the session. If
 * a process died during a payment, it takes over with the same payment key, so the charge is not
 * repeated. If the gateway's page of a payment is open, corrected values end it and begin another
 * payment. In any other state, it shows the session unchanged.
 */
export const pay: PageHandler = async (services, event) => {
  const visit = await readVisit(services, event);
  const session = visit.stored.record;
  const nowMs = services.clock.now();
  const state = stateOf(session, nowMs);
  assertMaySell(visit, state);
  const form = formOf(event);
  assertOwnForm(event, form, session);
  if (session.status === 'processing' && state === 'interrupted') {
    const begunAt = await visit.openGateway();
    const resumed = await claimSession(services, visit, resumePayment(session, nowMs));
    return resumed ? chargeAndApply(services, event, visit, begunAt, resumed) : seeOther(pageUrl(event, session));
  }
  if (state === 'paid') return redirectAfterPayment(event, session);
  if (mayCorrect(visit, session, nowMs)) return correctPayment(services, event, visit, session);
  if (session.status !== 'open' || state !== 'open') return seeOther(pageUrl(event, session));
  const gateway = await visit.openGateway();
  const submittedForm = readSubmittedForm({ form, session, gateway, region: visit.account.region, locale: visit.locale });
  if (!isSubmittedForm(submittedForm))
    return respondWithPage(services, { ...visit, session, gateway, sent: { form, errors: submittedForm } }, state);
  const claimed = await claimSession(
    services,
    visit,
    beginPayment(session, { ...submittedForm, gateway: gateway.name, keys: gateway.keys }, nowMs),
  );
  return claimed ? chargeAndApply(services, event, visit, gateway, claimed) : seeOther(pageUrl(event, session));
};
