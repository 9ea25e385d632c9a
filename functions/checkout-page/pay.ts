import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { SessionIn } from '../../shared/domain/checkout/record.ts';
import { beginPayment, paymentKey, resumePayment, stateOf } from '../../shared/domain/checkout/rules.ts';
import type { PaymentGateway } from '../../shared/providers/payment-gateways/gateway.ts';
import { type Answers, type FieldErrors, readAnswers } from './form.ts';
import { seeOther } from './frame.ts';
import type { CheckoutPageServices } from './gateway.ts';
import { onwards, type PageHandler, pageOf } from './page.ts';
import { assertOwnForm, formOf, PageRefusal, pageUrl } from './request.ts';
import { applyCharge } from './settle.ts';
import { assertTrades, claim, readVisit, type Visit } from './visit.ts';

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
  const answers = readAnswers(session, form, gateway);
  if (!isAnswers(answers)) return pageOf(services, { ...visit, session, gateway, sent: { form, errors: answers } }, state);
  const claimed = await claim(services, visit, beginPayment(session, { ...answers, gateway: gateway.name, keys: gateway.keys }, nowMs));
  return claimed ? chargeAndApply(services, event, visit, gateway, claimed) : seeOther(pageUrl(event, session));
};
